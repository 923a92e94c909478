/** Asking a table: the server, or for a table on this device the table itself. A refusal is thrown as it was told: a
 *  sentence, a key and a clause. */
import { language, say } from './language.svelte';
import { myName, myPortrait, rememberTable } from './settings.svelte';
import type { From } from '../local/events';
import type { Review, Step } from '../review/types';
import type { GameFacts } from './facts';
import { isGame } from './types';
import type {
  Action,
  GameName,
  GuestShown,
  HintShown,
  Invitation,
  Invited,
  NewTable,
  Odds,
  Position,
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

async function ask<Answer>(
  method: 'GET' | 'POST',
  path: string,
  body?: unknown,
  read: (answer: Response) => Promise<unknown> = (answer) => answer.json(),
): Promise<Answer> {
  const mark = path.includes('?') ? '&' : '?';
  let answer: Response;
  let told: unknown;
  try {
    answer = await fetch(`${import.meta.env.BASE_URL}api${path}${mark}language=${language()}`, {
      method,
      headers: body === undefined ? {} : { 'content-type': 'application/json' },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
    // A web space without our server may answer with a page.
    told = await (answer.ok ? read(answer) : answer.json());
  } catch {
    throw new Refused({ key: 'offline', reason: say('offline'), clause: 'server', words: {} });
  }
  if (!answer.ok) throw new Refused(told as Problem);
  return told as Answer;
}

let found: Promise<GameFacts[]> | undefined;

/** The games of the server; none where there is no server. */
function served(): Promise<GameFacts[]> {
  found ??= ask<GameFacts[]>('GET', '/games').then(
    (games) => (Array.isArray(games) ? games : []),
    () => [],
  );
  void found.then((games) => !games.length && (found = undefined)); // the next one asks again
  return found;
}

/** Is there a server? Without one everything but inviting people works. */
export const hasServer = async (): Promise<boolean> => (await served()).length > 0;

/** Games of the server that this page knows nothing about. */
export const otherGames = async (): Promise<GameFacts[]> =>
  (await served()).filter(({ name }) => !isGame(name));

const local = (): Promise<typeof import('../local/api')> => import('../local/api');
export const isLocal = (table: string): boolean => table.startsWith('local-');

/** Can a table be played on this device alone? */
const needsNobody = ({ game, seats, public: open }: Partial<NewTable> & { game: GameName }): boolean =>
  isGame(game) &&
  !open &&
  Boolean(seats?.length) &&
  seats!.every(({ kind }) => kind === 'me' || kind === 'bot');

/** What this device calls itself when it sits down. */
const me = (): { name: string; portrait?: string } => ({
  name: myName() || say('guest'),
  ...(myPortrait() && { portrait: myPortrait() }),
});

export const beGuest = (): Promise<GuestShown> => ask('POST', '/guest', me());

async function made(table: Partial<NewTable> & { game: GameName }, from?: From): Promise<Seated> {
  if (needsNobody(table)) return (await local()).make(table, from);
  await beGuest();
  return ask<Seated>('POST', '/tables', table);
}

/** Make a table; `from` is a position to play on from, on this device. */
export async function makeTable(table: Partial<NewTable> & { game: GameName }, from?: From): Promise<Seated> {
  const seated = await made(table, from);
  rememberTable({ id: seated.id, game: table.game, at: Date.now() });
  return seated;
}

/** Take a seat at a public table. */
export async function sit(table: string): Promise<void> {
  await beGuest();
  await act(table, { do: 'sit', ...me() });
}

export const act = async (
  table: string,
  action: Partial<Action> & { do: string },
): Promise<{ version: number }> =>
  isLocal(table) ? (await local()).act(table, action) : ask('POST', `/tables/${table}/actions`, action);

/** What the server knows for certain of a position; null where that is nothing. */
export const odds = (position: Position): Promise<Odds | null> =>
  ask('GET', `/odds?view=${encodeURIComponent(JSON.stringify(position))}`);
export const openTables = (): Promise<TableFound[]> => ask('GET', '/tables?limit=12');
export const inspect = async (table: string): Promise<{ id: string; public: boolean; views: View[] }> =>
  isLocal(table) ? (await local()).inspect(table) : ask('GET', `/tables/${table}`);
export const invitation = (table: string): Promise<Invitation> => ask('POST', `/tables/${table}/invitation`);
export const invited = (token: string): Promise<Invited> => ask('POST', '/invited', { token });
export async function join(token: string): Promise<Seated> {
  await beGuest();
  return ask('POST', '/join', { token, ...me() });
}
export const carryLink = (table: string, seat: number): Promise<Invitation> =>
  ask('POST', `/tables/${table}/seats/${seat}/carry`);
export const carryHere = (token: string): Promise<Seated> => ask('POST', '/carry', { token });
export const replay = async (table: string, round: number): Promise<Replay> =>
  isLocal(table)
    ? (await local()).replay(table, round)
    : ask('GET', `/tables/${table}/rounds/${round}/replay`);
export const hint = async (table: string, seat: number): Promise<HintShown> =>
  isLocal(table) ? (await local()).hint(table, seat) : ask('GET', `/tables/${table}/seats/${seat}/hint`);

/** The records of all finished rounds, one a line. */
export const records = async (table: string): Promise<string> =>
  isLocal(table)
    ? (await local()).records(table)
    : (await fetch(`${import.meta.env.BASE_URL}api/tables/${table}/records`)).text();

/** The record of a finished round. */
export async function record(table: string, round: number): Promise<unknown> {
  if (isLocal(table)) return (await local()).record(table, round);
  const lines = await ask<string[]>('GET', `/tables/${table}/records`, undefined, async (answer) =>
    (await answer.text()).split('\n'),
  );
  if (!lines[round - 1]) throw new Error(say('review_no_round', { n: round }));
  return JSON.parse(lines[round - 1]!);
}

/** How far the server has come with the review of a finished round; the review once it is done. */
export const serverReview = (
  table: string,
  round: number,
): Promise<{ done: number; total: number; steps: Step[]; chances: number[][]; review: Review | null }> =>
  ask('GET', `/tables/${table}/rounds/${round}/review`);
