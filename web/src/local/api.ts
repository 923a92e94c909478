/** What is asked of a local table, as `lib/api.ts` asks it of a server. */
import { Refused } from '../lib/api';
import type { Wanted } from '../lib/showing.svelte';
import type { GameName, HintShown, NewTable, Replay, Seated, View } from '../lib/types';
import { NotSo } from './deciding';
import type { From } from './events';
import { hint as ask } from './hints';
import { forgetLive, live } from './live';
import { makeLocal } from './making';
import { problemOf } from './sentences';
import { hex } from './sha256';
import { deleteTables, listTables, readTable } from './storage';
import { replayed, seen } from './views';

/** A refusal, as it was told. */
async function told<Answer>(work: Promise<Answer>): Promise<Answer> {
  try {
    return await work;
  } catch (error) {
    throw error instanceof NotSo ? new Refused(await problemOf(error)) : error;
  }
}

export const make = (table: Partial<NewTable> & { game: GameName }, from?: From): Promise<Seated> =>
  told(makeLocal(table, from));

export const act = (id: string, action: Wanted): Promise<{ version: number }> =>
  told(live(id).then(async (found) => ({ version: await found.act(action) })));

export const inspect = (id: string): Promise<{ id: string; public: boolean; views: View[] }> =>
  told(
    live(id).then(({ table }) => ({
      id,
      public: false,
      views: table.people.map((seat) => seen(table, seat)),
    })),
  );

export const hint = (id: string, seat: number): Promise<HintShown> =>
  told(live(id).then(({ table }) => ask(table, seat)));

export const replay = (id: string, round: number): Promise<Replay> =>
  told(
    live(id).then(({ table }) => {
      if (!table.records[round - 1]) throw new NotSo('no_record');
      return replayed(table, round);
    }),
  );

export const record = (id: string, round: number): Promise<unknown> =>
  told(
    live(id).then(({ table }) => {
      if (!table.records[round - 1]) throw new NotSo('no_record');
      return table.records[round - 1];
    }),
  );

/** The records of all finished rounds, one a line. */
export const records = (id: string): Promise<string> =>
  told(
    live(id).then(({ table }) =>
      table.records
        .filter(Boolean)
        .map((record) => `${JSON.stringify(record)}\n`)
        .join(''),
    ),
  );

/** Every table on this device with all its events, to be kept elsewhere. */
export async function exported(): Promise<object[]> {
  const tables = await listTables();
  return Promise.all(
    tables.map(async ({ id, secret }) => ({
      id,
      secret: hex(secret),
      events: (await readTable(id))?.events ?? [],
    })),
  );
}

export async function deleteAll(): Promise<void> {
  forgetLive();
  await deleteTables();
}
