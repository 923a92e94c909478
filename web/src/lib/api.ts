/** Asking the server. A refusal is thrown as it was told: a sentence, a key and a clause. */
import { language, say } from './language.svelte';
import { myName, myPortrait, rememberTable } from './settings.svelte';
import type { GameFacts } from './facts';
import type {
  Action,
  GameName,
  GuestShown,
  HintShown,
  Invitation,
  Invited,
  NewTable,
  Problem,
  Replay,
  Seated,
  TableFound,
  View,
} from './types';

export class Refused extends Error {
  constructor(readonly problem: Problem) {
    super(problem.reason);
  }
}

async function ask<Answer>(method: 'GET' | 'POST', path: string, body?: unknown): Promise<Answer> {
  const mark = path.includes('?') ? '&' : '?';
  let answer: Response;
  try {
    answer = await fetch(`/api${path}${mark}language=${language()}`, {
      method,
      headers: body === undefined ? {} : { 'content-type': 'application/json' },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
  } catch {
    throw new Refused({ key: 'offline', reason: say('offline'), clause: 'server', words: {} });
  }
  const told: unknown = await answer.json();
  if (!answer.ok) throw new Refused(told as Problem);
  return told as Answer;
}

/** What this device calls itself when it sits down. */
const me = (): { name: string; portrait?: string } => ({
  name: myName() || say('guest'),
  ...(myPortrait() && { portrait: myPortrait() }),
});

export const beGuest = (): Promise<GuestShown> => ask('POST', '/guest', me());

export async function makeTable(table: Partial<NewTable> & { game: GameName }): Promise<Seated> {
  await beGuest();
  const seated = await ask<Seated>('POST', '/tables', table);
  rememberTable({ id: seated.id, game: table.game, at: Date.now() });
  return seated;
}

/** Take a seat at a public table. */
export async function sit(table: string): Promise<void> {
  await beGuest();
  await act(table, { do: 'sit', ...me() });
}

export const act = (table: string, action: Partial<Action> & { do: string }): Promise<{ version: number }> =>
  ask('POST', `/tables/${table}/actions`, action);

export const levels = (): Promise<string[]> => ask('GET', '/levels');
export const games = (): Promise<GameFacts[]> => ask('GET', '/games');
export const openTables = (): Promise<TableFound[]> => ask('GET', '/tables?limit=12');
export const inspect = (table: string): Promise<{ id: string; public: boolean; views: View[] }> =>
  ask('GET', `/tables/${table}`);
export const invitation = (table: string): Promise<Invitation> => ask('POST', `/tables/${table}/invitation`);
export const invited = (token: string): Promise<Invited> => ask('POST', '/invited', { token });
export async function join(token: string): Promise<Seated> {
  await beGuest();
  return ask('POST', '/join', { token, ...me() });
}
export const carryLink = (table: string, seat: number): Promise<Invitation> =>
  ask('POST', `/tables/${table}/seats/${seat}/carry`);
export const carryHere = (token: string): Promise<Seated> => ask('POST', '/carry', { token });
export const replay = (table: string, round: number): Promise<Replay> =>
  ask('GET', `/tables/${table}/rounds/${round}/replay`);
export const hint = (table: string, seat: number): Promise<HintShown> =>
  ask('GET', `/tables/${table}/seats/${seat}/hint`);
