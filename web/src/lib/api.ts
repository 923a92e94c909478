/** Requests to a table, on the server or on this device. A refusal is thrown as `Refused` with its
 *  sentence, key and clause. */
import { language, say } from './language.svelte';
import { myName, myPortrait, rememberTable } from './settings.svelte';
import type { From } from '../local/events';
import type { Review, Step } from '../review/engine/types';
import type { GameFacts } from '../games/facts';
import { isGame } from '../games';
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
  ViewMessage,
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
  read: (response: Response) => Promise<unknown> = (response) => response.json(),
): Promise<Answer> {
  const separator = path.includes('?') ? '&' : '?';
  let response: Response;
  let payload: unknown;
  try {
    response = await fetch(`${import.meta.env.BASE_URL}api${path}${separator}language=${language()}`, {
      method,
      headers: body === undefined ? {} : { 'content-type': 'application/json' },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
    // A web space without our server may answer with a page.
    payload = await (response.ok ? read(response) : response.json());
  } catch {
    throw new Refused({ key: 'offline', reason: say('offline'), clause: 'server', words: {} });
  }
  if (!response.ok) throw new Refused(payload as Problem);
  return payload as Answer;
}

let gamesRequest: Promise<GameFacts[]> | undefined;

/** The server's games; empty without a server. */
function serverGames(): Promise<GameFacts[]> {
  gamesRequest ??= ask<GameFacts[]>('GET', '/games').then(
    (games) => (Array.isArray(games) ? games : []),
    () => [],
  );
  void gamesRequest.then((games) => !games.length && (gamesRequest = undefined)); // the next one asks again
  return gamesRequest;
}

/** Is there a server? Without one everything but inviting people works. */
export const hasServer = async (): Promise<boolean> => (await serverGames()).length > 0;

/** Games of the server that this page knows nothing about. */
export const otherGames = async (): Promise<GameFacts[]> =>
  (await serverGames()).filter(({ name }) => !isGame(name));

const local = (): Promise<typeof import('../local/api')> => import('../local/api');
export const isLocal = (table: string): boolean => table.startsWith('local-');

/** Can this table be played without a server? */
const isPlayableLocally = ({
  game,
  seats,
  public: isPublic,
}: Partial<NewTable> & { game: GameName }): boolean =>
  isGame(game) &&
  !isPublic &&
  Boolean(seats?.length) &&
  seats!.every(({ kind }) => kind === 'me' || kind === 'bot');

/** The name and portrait with which this device takes a seat. */
const ownProfile = (): { name: string; portrait?: string } => ({
  name: myName() || say('guest'),
  ...(myPortrait() && { portrait: myPortrait() }),
});

export const beGuest = (): Promise<GuestShown> => ask('POST', '/guest', ownProfile());

async function createTable(table: Partial<NewTable> & { game: GameName }, from?: From): Promise<Seated> {
  if (isPlayableLocally(table)) return (await local()).createTable(table, from);
  await beGuest();
  return ask<Seated>('POST', '/tables', table);
}

/** Make a table; `from` is a position to play on from, on this device. */
export async function makeTable(table: Partial<NewTable> & { game: GameName }, from?: From): Promise<Seated> {
  const created = await createTable(table, from);
  rememberTable({ id: created.id, game: table.game, at: Date.now() });
  return created;
}

/** Take a seat at a public table. */
export async function sit(table: string): Promise<void> {
  await beGuest();
  await act(table, { do: 'sit', ...ownProfile() });
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
export const inspect = async (
  table: string,
): Promise<{ id: string; public: boolean; views: ViewMessage[] }> =>
  isLocal(table) ? (await local()).inspect(table) : ask('GET', `/tables/${table}`);
export const invitation = (table: string): Promise<Invitation> => ask('POST', `/tables/${table}/invitation`);
export const invited = (token: string): Promise<Invited> => ask('POST', '/invited', { token });
export async function join(token: string): Promise<Seated> {
  await beGuest();
  return ask('POST', '/join', { token, ...ownProfile() });
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
