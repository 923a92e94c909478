/** The API of local tables, the counterpart of the server requests in `lib/api.ts`. */
import { Refused } from '../lib/api';
import type { ActionRequest } from '../table/presentation.svelte';
import type { GameName, HintShown, NewTable, Replay, Seated, ViewMessage } from '../lib/types';
import { RefusalError } from '../rules';
import { ActionRefused } from './actions';
import type { From } from './events';
import { hint as askHint } from './hints';
import { forgetSessions, openSession } from './session';
import { createLocalTable } from './create';
import { problemOf } from './sentences';
import { hex } from './sha256';
import { deleteTables, listTables, readTable } from './storage';
import { messageFor, replayOf } from './views';

/** Turn an internal refusal into the error that the pages expect. */
async function translateRefusal<Answer>(promise: Promise<Answer>): Promise<Answer> {
  try {
    return await promise;
  } catch (error) {
    throw error instanceof RefusalError ? new Refused(await problemOf(error)) : error;
  }
}

export const createTable = (table: Partial<NewTable> & { game: GameName }, from?: From): Promise<Seated> =>
  translateRefusal(createLocalTable(table, from));

export const act = (id: string, action: ActionRequest): Promise<{ version: number }> =>
  translateRefusal(openSession(id).then(async (session) => ({ version: await session.act(action) })));

export const inspect = (id: string): Promise<{ id: string; public: boolean; views: ViewMessage[] }> =>
  translateRefusal(
    openSession(id).then(({ table }) => ({
      id,
      public: false,
      views: table.people.map((seat) => messageFor(table, seat)),
    })),
  );

export const hint = (id: string, seat: number): Promise<HintShown> =>
  translateRefusal(openSession(id).then(({ table }) => askHint(table, seat)));

export const replay = (id: string, round: number): Promise<Replay> =>
  translateRefusal(
    openSession(id).then(({ table }) => {
      if (!table.records[round - 1]) throw new ActionRefused('no_record');
      return replayOf(table, round);
    }),
  );

export const record = (id: string, round: number): Promise<unknown> =>
  translateRefusal(
    openSession(id).then(({ table }) => {
      if (!table.records[round - 1]) throw new ActionRefused('no_record');
      return table.records[round - 1];
    }),
  );

/** The records of all finished rounds, one a line. */
export const records = (id: string): Promise<string> =>
  translateRefusal(
    openSession(id).then(({ table }) =>
      table.records
        .filter(Boolean)
        .map((record) => `${JSON.stringify(record)}\n`)
        .join(''),
    ),
  );

/** Every table on this device with all its events, to be kept elsewhere. */
export async function exportTables(): Promise<object[]> {
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
  forgetSessions();
  await deleteTables();
}
