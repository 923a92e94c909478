/** What both stores of this device need of IndexedDB. */

/** A database, made the first time; null where a browser keeps nothing: then everything works, and nothing is kept. */
export function opener(
  name: string,
  stores: Record<string, string | string[]>,
): () => Promise<IDBDatabase | null> {
  let opened: Promise<IDBDatabase | null> | undefined;
  return () =>
    (opened ??= new Promise((resolve) => {
      try {
        const asked = indexedDB.open(name, 1);
        asked.onupgradeneeded = () => {
          for (const [store, keyPath] of Object.entries(stores))
            asked.result.createObjectStore(store, { keyPath });
        };
        asked.onsuccess = () => resolve(asked.result);
        asked.onerror = () => resolve(null);
      } catch {
        resolve(null); // storage is switched off
      }
    }));
}

export const answered = <Answer>(asked: IDBRequest<Answer>): Promise<Answer> =>
  new Promise((resolve, reject) => {
    asked.onsuccess = () => resolve(asked.result);
    asked.onerror = () => reject(asked.error ?? new Error('not read'));
  });
