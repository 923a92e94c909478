/** The client of the bot workers: one worker per game, kept alive. */
import { rulesUrl } from '../lib/urls';
import type { GameName } from '../lib/types';
import type { State } from '../rules';
import type { Answer, BotTurn, Question } from './bot-worker';

type PendingRequest = { resolve: (turn: BotTurn | null) => void; reject: (error: Error) => void };
interface BotClient {
  worker: Worker;
  pending: Map<number, PendingRequest>;
}
const clients = new Map<GameName, BotClient>();
let lastRequestId = 0;

function clientFor(game: GameName): BotClient {
  const existing = clients.get(game);
  if (existing) return existing;
  const worker = new Worker(new URL('./bot-worker.ts', import.meta.url), { type: 'module' });
  const client: BotClient = { worker, pending: new Map() };
  worker.onmessage = ({ data }: MessageEvent<Answer>) => {
    const request = client.pending.get(data.id);
    client.pending.delete(data.id);
    if ('error' in data) request?.reject(new Error(data.error));
    else request?.resolve(data.turn);
  };
  // The worker failed to load: the next request starts a new one.
  worker.onerror = (event) => {
    clients.delete(game);
    client.pending.forEach(({ reject }) => reject(new Error(event.message || 'no worker')));
  };
  clients.set(game, client);
  return client;
}

type BotQuestion = Omit<Question, 'id' | 'folder' | 'seed'>;

function ask(question: BotQuestion): Promise<BotTurn | null> {
  const { worker, pending } = clientFor(question.game);
  const id = ++lastRequestId;
  const [seed] = crypto.getRandomValues(new BigUint64Array(1));
  return new Promise((resolve, reject) => {
    pending.set(id, { resolve, reject });
    worker.postMessage({ ...question, id, seed: seed!, folder: rulesUrl().href } satisfies Question);
  });
}

/** The turn of a bot of a level in a position that it sees as one of the players. */
export const chooseTurn = (question: BotQuestion & { view: State }): Promise<BotTurn> =>
  ask(question) as Promise<BotTurn>;

/** Load what a level needs, before its first turn. */
export const preload = (game: GameName, players: number, level: string): Promise<unknown> =>
  ask({ game, players, level, view: null, player: 0 });
