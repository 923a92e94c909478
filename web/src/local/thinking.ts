/** Asking the bots: one worker for each game, kept for the next question. */
import { RULES } from '../lib/places';
import type { GameName } from '../lib/types';
import type { State } from '../rules';
import type { Answer, Question } from './thinker';

/** A move, and whether a simpler bot made it because what the right one knows could not be loaded. */
export interface Thought {
  move: string;
  simpler: boolean;
}
type Found = { move: string | null; simpler: boolean };
type Open = { resolve: (found: Found) => void; reject: (error: Error) => void };
interface Thinker {
  worker: Worker;
  open: Map<number, Open>;
}
const thinkers = new Map<GameName, Thinker>();
let asked = 0;

function thinkerOf(game: GameName): Thinker {
  const known = thinkers.get(game);
  if (known) return known;
  const worker = new Worker(new URL('./thinker.ts', import.meta.url), { type: 'module' });
  const made: Thinker = { worker, open: new Map() };
  worker.onmessage = ({ data }: MessageEvent<Answer>) => {
    const open = made.open.get(data.id);
    made.open.delete(data.id);
    if ('error' in data) open?.reject(new Error(data.error));
    else open?.resolve(data);
  };
  // It could not even be loaded: whoever asks next begins anew.
  worker.onerror = (event) => {
    thinkers.delete(game);
    made.open.forEach(({ reject }) => reject(new Error(event.message || 'no worker')));
  };
  thinkers.set(game, made);
  return made;
}

function ask(question: Omit<Question, 'id' | 'folder' | 'seed'>): Promise<Found> {
  const { worker, open } = thinkerOf(question.game);
  const id = ++asked;
  const [seed] = crypto.getRandomValues(new BigUint64Array(1));
  return new Promise((resolve, reject) => {
    open.set(id, { resolve, reject });
    worker.postMessage({ ...question, id, seed: seed!, folder: RULES().href } satisfies Question);
  });
}

/** What a bot of a level does in a position that it sees as one of the players. */
export async function think(
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
): Promise<Thought> {
  const { move, simpler } = await ask({ game, view, player, players, level, milliseconds });
  return { move: move!, simpler };
}

/** Load what a level needs, before its first turn. */
export const prepare = (game: GameName, players: number, level: string): Promise<unknown> =>
  ask({ game, players, level, view: null, player: 0 });
