/** IndexedDB helpers shared by the stores of this device. */

/** Returns a function that opens a database, creating it at first; null if the browser offers no storage. */
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
