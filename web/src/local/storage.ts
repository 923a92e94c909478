/** Where local tables are kept: IndexedDB, event by event. Where a browser has none, they last as long as the page. */
import { answered, opener } from '../lib/indexed';
import type { GameName } from '../lib/types';
import type { Event } from './events';

/** What is known of a table without looking at its events. */
export interface Kept {
  id: string;
  game: GameName;
  /** From which the keys of all its rounds are made. */
  secret: Uint8Array;
  /** When something last happened. */
  at: number;
}

/** Somebody else, in another tab, was first. */
export class Conflict extends Error {}

const NAME = 'sixfold';
const TABLES = 'tables';
const EVENTS = 'events';

const database = opener(NAME, { [TABLES]: 'id', [EVENTS]: ['table', 'version'] });

// For a browser that keeps nothing.
const memory = new Map<string, { kept: Kept; events: Event[] }>();

const all = (id: string): IDBKeyRange => IDBKeyRange.bound([id, 0], [id, Infinity]);

export async function listTables(): Promise<Kept[]> {
  const found = await database();
  if (!found) return [...memory.values()].map(({ kept }) => kept);
  return answered(found.transaction(TABLES).objectStore(TABLES).getAll() as IDBRequest<Kept[]>);
}

export async function readTable(id: string): Promise<{ kept: Kept; events: Event[] } | null> {
  const found = await database();
  if (!found) return memory.get(id) ?? null;
  const work = found.transaction([TABLES, EVENTS]);
  const [kept, rows] = await Promise.all([
    answered(work.objectStore(TABLES).get(id) as IDBRequest<Kept | undefined>),
    answered(work.objectStore(EVENTS).getAll(all(id)) as IDBRequest<{ event: Event }[]>),
  ]);
  return kept ? { kept, events: rows.map(({ event }) => event) } : null;
}

/** Keep events after a version, all of them or none; refuses where others are there already. */
export async function append(kept: Kept, version: number, events: Event[]): Promise<void> {
  const found = await database();
  if (!found) {
    const before = memory.get(kept.id)?.events ?? [];
    if (before.length !== version) throw new Conflict();
    memory.set(kept.id, { kept, events: [...before, ...events] });
    return;
  }
  const work = found.transaction([TABLES, EVENTS], 'readwrite');
  await new Promise<void>((resolve, reject) => {
    work.oncomplete = () => resolve();
    work.onabort = () =>
      reject(work.error?.name === 'ConstraintError' ? new Conflict() : (work.error ?? new Error('not kept')));
    work.objectStore(TABLES).put(kept);
    events.forEach((event, at) =>
      work.objectStore(EVENTS).add({ table: kept.id, version: version + 1 + at, event }),
    );
  });
}

export async function deleteTables(): Promise<void> {
  memory.clear();
  const found = await database();
  if (!found) return;
  const work = found.transaction([TABLES, EVENTS], 'readwrite');
  work.objectStore(TABLES).clear();
  await answered(work.objectStore(EVENTS).clear());
}
