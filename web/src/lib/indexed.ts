/** What both stores of this device need of IndexedDB. */

/** A database, made the first time; null where a browser keeps nothing: then everything works, and nothing is kept. */
export function databaseOpener(
  name: string,
  stores: Record<string, string | string[]>,
): () => Promise<IDBDatabase | null> {
  let database: Promise<IDBDatabase | null> | undefined;
  return () =>
    (database ??= new Promise((resolve) => {
      try {
        const request = indexedDB.open(name, 1);
        request.onupgradeneeded = () => {
          for (const [store, keyPath] of Object.entries(stores))
            request.result.createObjectStore(store, { keyPath });
        };
        request.onsuccess = () => resolve(request.result);
        request.onerror = () => resolve(null);
      } catch {
        resolve(null); // storage is switched off
      }
    }));
}

export const requestResult = <Answer>(request: IDBRequest<Answer>): Promise<Answer> =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error ?? new Error('not read'));
  });
