/** Reviews in the browser: records, evaluations of moves and chances of positions. All of it runs in workers,
 *  can be aborted, and returns exactly what `sixfold review` prints (docs/review.md). */
import { say } from '../../lib/language.svelte';
import { isGame } from '../../games';
import { sentence } from '../../local/sentences';
import { RecordError, type GameName, type State } from '../../rules';
import { DataMissing, type AnalysisUpdate } from './analysis-service';
import { workersFor, releaseIdleWorkers, type ReviewWorker } from './worker-pool';
import { headOf } from './record';
import { ITERATIONS, assembleReview, type ReviewHeader, type EvaluatedEvent } from './report';
import type { Decision, Progress, Review } from './types';

export type * from './types';

const SEED = 1;
// The default budget for a single decision.
const MAX_ITERATIONS = 4 * ITERATIONS;
let lastRecordKey = 0;

/** Review any record that `sixfold check` accepts. Progress is reported in event order, once a step and all
 *  steps before it are evaluated. An invalid record is rejected with a sentence that says where and why. */
export const reviewRecord = (
  record: unknown,
  onProgress: (progress: Progress) => void = () => {},
  signal?: AbortSignal,
): Promise<Review> => translateErrors(runReview(record, onProgress, signal));

async function runReview(
  record: unknown,
  onProgress: (progress: Progress) => void,
  signal?: AbortSignal,
): Promise<Review> {
  // A reactive proxy cannot be posted to a worker, so the record is copied.
  const recordCopy = headOf(JSON.parse(JSON.stringify(record ?? null)));
  if (!isGame(recordCopy.game)) throw new RecordError({ key: 'record_bad', words: { what: 'game' } });
  const key = ++lastRecordKey;
  const workers = workersFor(recordCopy.events.length + 1);
  const [first, ...others] = workers.map((worker) =>
    worker
      .ask<ReviewHeader>({ do: 'open', key, record: recordCopy }, undefined, signal)
      .then((head) => ({ worker, head })),
  );
  // If a worker fails to start, the others take over its share.
  const standby = others.map((starting) => starting.catch(() => null));
  try {
    const { worker, head } = await first!;
    const workerPromises = [
      Promise.resolve(worker),
      ...standby.map((standbyWorker) => standbyWorker.then((result) => result?.worker)),
    ];
    return assembleReview(
      head,
      await evaluateAll(workerPromises, key, head.total, onProgress, signal),
      ITERATIONS,
      SEED,
    );
  } finally {
    workers.forEach((worker) => void worker.ask({ do: 'close', key }).then(releaseIdleWorkers, () => {}));
  }
}

/** Evaluate all events on the first idle worker; the result does not depend on which one it is. */
async function evaluateAll(
  workerPromises: Promise<ReviewWorker | undefined>[],
  key: number,
  total: number,
  onProgress: (progress: Progress) => void,
  signal?: AbortSignal,
): Promise<EvaluatedEvent[]> {
  const evaluated: EvaluatedEvent[] = [];
  let next = 0;
  let reported = 0;
  const runWorker = async (starting: Promise<ReviewWorker | undefined>): Promise<void> => {
    const worker = await starting;
    while (worker && next <= total) {
      const number = next++;
      const job = { do: 'judge', key, number, iterations: ITERATIONS, seed: SEED } as const;
      evaluated[number] = await worker.ask<EvaluatedEvent>(job, undefined, signal);
      for (; evaluated[reported]; reported++) {
        const { step, chances } = evaluated[reported]!;
        if (step) onProgress({ done: reported, total, step, chances });
      }
    }
  };
  await Promise.all(workerPromises.map(runWorker));
  return evaluated;
}

/** Evaluate the moves of a decision from a seat's view and report the candidates after each round, until the ranking
 *  is settled, `maxIterations` are used up or the signal aborts. Resolves when it ends. */
export function evaluateMoves(
  game: GameName,
  view: State,
  seat: number,
  onProgress: (found: AnalysisUpdate) => void,
  signal?: AbortSignal,
  maxIterations = MAX_ITERATIONS,
): Promise<void> {
  const [worker] = workersFor(1);
  return translateErrors(
    worker!.ask({ do: 'weigh', game, view, seat, most: maxIterations }, onProgress, signal),
  );
}

/** The cost of an alternative move at an event, from the seat's view there. */
export function evaluateMove(
  game: GameName,
  view: State,
  seat: number,
  number: number,
  move: string,
  signal?: AbortSignal,
): Promise<Decision> {
  const [worker] = workersFor(1);
  return translateErrors(worker!.ask({ do: 'try', game, view, seat, number, move }, undefined, signal));
}

/** Everybody's chance in a position, as a seat sees it, or without one a spectator, in points. */
export function chances(
  game: GameName,
  view: State,
  seat: number | null,
  signal?: AbortSignal,
): Promise<number[]> {
  const [worker] = workersFor(1);
  return translateErrors(worker!.ask({ do: 'chances', game, view, seat }, undefined, signal));
}

/** The fault of a record as a sentence in the current language. */
export async function faultText({ fault: { key, words, why } }: RecordError): Promise<string> {
  if (!why) return say(key, words);
  return say(key, { ...words, why: await sentence(why.key, why.words), clause: why.clause });
}

/** Translate a record fault or missing data into an error in the current language. */
async function translateErrors<Answer>(promise: Promise<Answer>): Promise<Answer> {
  try {
    return await promise;
  } catch (error) {
    if (error instanceof DataMissing) throw new Error(say('review_missing'));
    throw error instanceof RecordError ? new Error(await faultText(error)) : error;
  }
}
