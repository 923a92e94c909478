/** Where a review comes from: remembered, from the server where the game was played there, or from this tab. */
import { isLocal, serverReview } from '../lib/api';
import { isGame } from '../lib/types';
import type { Progress, Review, Step } from '../review/types';
import { keepReview, keptReview } from './kept';
import { keyOf, type Recorded } from './records';

/** What is known so far: each step that was judged, and everybody's chance after it. */
export interface Found {
  done: number;
  total: number;
  steps: Map<number, Step>;
  chances: Map<number, number[]>;
}

export interface Asked {
  record: Recorded;
  /** The table and the round, where there is one. */
  table: { id: string; round: number } | null;
}

const AGAIN = 1000;

const pause = (milliseconds: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, milliseconds);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      reject(signal.reason as Error);
    });
  });

type Tell = (found: Found) => void;

async function byServer(
  { id, round }: { id: string; round: number },
  tell: Tell,
  signal: AbortSignal,
): Promise<Review> {
  for (;;) {
    const { done, total, steps, chances, review } = await serverReview(id, round);
    signal.throwIfAborted();
    if (review) return review;
    tell({
      done,
      total,
      steps: new Map(steps.map((step) => [step.number, step])),
      chances: new Map(steps.map((step, at) => [step.number, chances[at] ?? []])),
    });
    await pause(AGAIN, signal);
  }
}

async function inTab(record: Recorded, tell: Tell, signal: AbortSignal): Promise<Review> {
  const { reviewed } = await import('../review');
  const found: Found = { done: 0, total: record.events.length, steps: new Map(), chances: new Map() };
  const heard = ({ done, total, step, chances }: Progress): void => {
    found.steps.set(step.number, step);
    found.chances.set(step.number, chances);
    tell({ done, total, steps: new Map(found.steps), chances: new Map(found.chances) });
  };
  return reviewed(record, heard, signal);
}

async function made({ record, table }: Asked, tell: Tell, signal: AbortSignal): Promise<Review> {
  if (!table || isLocal(table.id)) return inTab(record, tell, signal);
  try {
    return await byServer(table, tell, signal);
  } catch (error) {
    signal.throwIfAborted();
    // A server that is too busy, or knows nothing of reviews: this device can do it as well.
    if (!isGame(record.game)) throw error;
    return inTab(record, tell, signal);
  }
}

/** The review of a record: at once where it is remembered; otherwise `tell` hears of every step. */
export async function review(asked: Asked, tell: Tell, signal: AbortSignal): Promise<Review> {
  const key = keyOf(asked.record);
  const known = await keptReview(key);
  if (known) return known.review;
  const found = await made(asked, tell, signal);
  // Where nothing can be kept it is judged again the next time.
  await keepReview({ key, record: asked.record, review: found }).catch((error: unknown) =>
    console.info('not remembered', error),
  );
  return found;
}
