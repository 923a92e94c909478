/** Where a review comes from: remembered, from the server where the game was played there, or from this tab. */
import { isLocal, serverReview } from '../lib/api';
import { isGame } from '../games';
import type { Progress, Review, Step } from './engine/types';
import { storeReview, storedReview } from './storage';
import { keyOf, type CheckedRecord } from './records';

/** The progress so far: each evaluated step, and all players' chances after it. */
export interface ReviewProgress {
  done: number;
  total: number;
  steps: Map<number, Step>;
  chances: Map<number, number[]>;
}

export interface ReviewRequest {
  record: CheckedRecord;
  /** The table and the round, where there is one. */
  table: { id: string; round: number } | null;
}

const POLL_INTERVAL = 1000;

const pause = (milliseconds: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, milliseconds);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      reject(signal.reason as Error);
    });
  });

type OnProgress = (found: ReviewProgress) => void;

async function fromServer(
  { id, round }: { id: string; round: number },
  onProgress: OnProgress,
  signal: AbortSignal,
): Promise<Review> {
  for (;;) {
    const { done, total, steps, chances, review } = await serverReview(id, round);
    signal.throwIfAborted();
    if (review) return review;
    onProgress({
      done,
      total,
      steps: new Map(steps.map((step) => [step.number, step])),
      chances: new Map(steps.map((step, at) => [step.number, chances[at] ?? []])),
    });
    await pause(POLL_INTERVAL, signal);
  }
}

async function inBrowser(
  record: CheckedRecord,
  onProgress: OnProgress,
  signal: AbortSignal,
): Promise<Review> {
  const { reviewRecord } = await import('./engine');
  const progress: ReviewProgress = {
    done: 0,
    total: record.events.length,
    steps: new Map(),
    chances: new Map(),
  };
  const onStep = ({ done, total, step, chances }: Progress): void => {
    progress.steps.set(step.number, step);
    progress.chances.set(step.number, chances);
    onProgress({ done, total, steps: new Map(progress.steps), chances: new Map(progress.chances) });
  };
  return reviewRecord(record, onStep, signal);
}

async function compute(
  { record, table }: ReviewRequest,
  onProgress: OnProgress,
  signal: AbortSignal,
): Promise<Review> {
  if (!table || isLocal(table.id)) return inBrowser(record, onProgress, signal);
  try {
    return await fromServer(table, onProgress, signal);
  } catch (error) {
    signal.throwIfAborted();
    // A server that is too busy, or knows nothing of reviews: this device can do it as well.
    if (!isGame(record.game)) throw error;
    return inBrowser(record, onProgress, signal);
  }
}

/** The review of a record: immediately if it is stored, otherwise with a call of `onProgress` for each step. */
export async function review(
  request: ReviewRequest,
  onProgress: OnProgress,
  signal: AbortSignal,
): Promise<Review> {
  const key = keyOf(request.record);
  const stored = await storedReview(key);
  if (stored) return stored.review;
  const result = await compute(request, onProgress, signal);
  // Where nothing can be kept it is judged again the next time.
  await storeReview({ key, record: request.record, review: result }).catch((error: unknown) =>
    console.info('not remembered', error),
  );
  return result;
}
