/** Storage of local tables in IndexedDB, event by event; in memory if the browser offers none. */
import { requestResult, databaseOpener } from '../lib/indexed-db';
import type { GameName } from '../lib/types';
import type { Event } from './events';

/** What is known of a table without looking at its events. */
export interface StoredTable {
  id: string;
  game: GameName;
  /** From which the keys of all its rounds are made. */
  secret: Uint8Array;
  /** When something last happened. */
  at: number;
}

/** Another tab stored an event of this version first. */
export class Conflict extends Error {}

const DATABASE_NAME = 'sixfold';
const TABLES = 'tables';
const EVENTS = 'events';

const database = databaseOpener(DATABASE_NAME, { [TABLES]: 'id', [EVENTS]: ['table', 'version'] });

// For a browser that keeps nothing.
const memoryFallback = new Map<string, { table: StoredTable; events: Event[] }>();

const eventRange = (id: string): IDBKeyRange => IDBKeyRange.bound([id, 0], [id, Infinity]);

export async function listTables(): Promise<StoredTable[]> {
  const db = await database();
  if (!db) return [...memoryFallback.values()].map(({ table }) => table);
  return requestResult(db.transaction(TABLES).objectStore(TABLES).getAll() as IDBRequest<StoredTable[]>);
}

export async function readTable(id: string): Promise<{ table: StoredTable; events: Event[] } | null> {
  const db = await database();
  if (!db) return memoryFallback.get(id) ?? null;
  const transaction = db.transaction([TABLES, EVENTS]);
  const [table, rows] = await Promise.all([
    requestResult(transaction.objectStore(TABLES).get(id) as IDBRequest<StoredTable | undefined>),
    requestResult(transaction.objectStore(EVENTS).getAll(eventRange(id)) as IDBRequest<{ event: Event }[]>),
  ]);
  return table ? { table, events: rows.map(({ event }) => event) } : null;
}

/** Keep events after a version, all of them or none; refuses where others are there already. */
export async function append(table: StoredTable, version: number, events: Event[]): Promise<void> {
  const db = await database();
  if (!db) {
    const stored = memoryFallback.get(table.id)?.events ?? [];
    if (stored.length !== version) throw new Conflict();
    memoryFallback.set(table.id, { table, events: [...stored, ...events] });
    return;
  }
  const transaction = db.transaction([TABLES, EVENTS], 'readwrite');
  await new Promise<void>((resolve, reject) => {
    transaction.oncomplete = () => resolve();
    transaction.onabort = () =>
      reject(
        transaction.error?.name === 'ConstraintError'
          ? new Conflict()
          : (transaction.error ?? new Error('not kept')),
      );
    transaction.objectStore(TABLES).put(table);
    events.forEach((event, at) =>
      transaction.objectStore(EVENTS).add({ table: table.id, version: version + 1 + at, event }),
    );
  });
}

export async function deleteTables(): Promise<void> {
  memoryFallback.clear();
  const db = await database();
  if (!db) return;
  const transaction = db.transaction([TABLES, EVENTS], 'readwrite');
  transaction.objectStore(TABLES).clear();
  await requestResult(transaction.objectStore(EVENTS).clear());
}
