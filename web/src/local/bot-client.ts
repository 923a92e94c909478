/** The client of the bot workers: one worker per game, kept alive. */
import { rulesUrl } from '../lib/urls';
import type { GameName } from '../lib/types';
import type { State } from '../rules';
import type { Answer, Question } from './bot-worker';

/** A move, and whether a simpler bot made it because what the right one knows could not be loaded. */
export interface BotMove {
  move: string;
  simpler: boolean;
}
type BotAnswer = { move: string | null; simpler: boolean };
type PendingRequest = { resolve: (answer: BotAnswer) => void; reject: (error: Error) => void };
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
    else request?.resolve(data);
  };
  // The worker failed to load: the next request starts a new one.
  worker.onerror = (event) => {
    clients.delete(game);
    client.pending.forEach(({ reject }) => reject(new Error(event.message || 'no worker')));
  };
  clients.set(game, client);
  return client;
}

function ask(question: Omit<Question, 'id' | 'folder' | 'seed'>): Promise<BotAnswer> {
  const { worker, pending } = clientFor(question.game);
  const id = ++lastRequestId;
  const [seed] = crypto.getRandomValues(new BigUint64Array(1));
  return new Promise((resolve, reject) => {
    pending.set(id, { resolve, reject });
    worker.postMessage({ ...question, id, seed: seed!, folder: rulesUrl().href } satisfies Question);
  });
}

/** What a bot of a level does in a position that it sees as one of the players. */
export async function chooseMove(
  game: GameName,
  {
    view,
    player,
    players,
    level,
    milliseconds,
  }: {
    view: State;
    player: number;
    players: number;
    level: string;
    milliseconds?: number;
  },
): Promise<BotMove> {
  const { move, simpler } = await ask({ game, view, player, players, level, milliseconds });
  return { move: move!, simpler };
}

/** Load what a level needs, before its first turn. */
export const preload = (game: GameName, players: number, level: string): Promise<unknown> =>
  ask({ game, players, level, view: null, player: 0 });
