/** Looking back in the page itself: reviews of records, moves weighed, chances of positions. All of it runs in workers,
 *  can be stopped, and says what `sixfold review` says (docs/review.md). */
import { say } from '../lib/language.svelte';
import { isGame } from '../lib/types';
import { sentence } from '../local/sentences';
import type { GameName, State } from '../rules';
import { DataMissing, type AnalysisUpdate } from './desk';
import { workersFor, releaseIdleWorkers, type ReviewWorker } from './helpers';
import { headOf, RecordError } from './record';
import { ITERATIONS, assembleReview, type ReviewHeader, type EvaluatedEvent } from './reviewing';
import type { Decision, Progress, Review } from './types';

export type * from './types';

const SEED = 1;
// How long a single decision may be thought about.
const MAX_ITERATIONS = 4 * ITERATIONS;
let lastRecordKey = 0;

/** Review a record: whatever `sixfold check` accepts. Steps are told in the order of the events, as soon as they and all
 *  before them are judged. A record that breaks a rule is refused with a sentence that says where and why. */
export const reviewed = (
  record: unknown,
  onProgress: (progress: Progress) => void = () => {},
  signal?: AbortSignal,
): Promise<Review> => translateErrors(runReview(record, onProgress, signal));

async function runReview(
  record: unknown,
  onProgress: (progress: Progress) => void,
  signal?: AbortSignal,
): Promise<Review> {
  // What a page keeps may be watched, and cannot be sent as it is.
  const recordCopy = headOf(JSON.parse(JSON.stringify(record ?? null)));
  if (!isGame(recordCopy.game)) throw new RecordError({ key: 'record_bad', words: { what: 'game' } });
  const key = ++lastRecordKey;
  const workers = workersFor(recordCopy.events.length + 1);
  const [first, ...others] = workers.map((worker) =>
    worker
      .ask<ReviewHeader>({ do: 'open', key, record: recordCopy }, undefined, signal)
      .then((head) => ({ helper: worker, head })),
  );
  // Where one of them cannot begin, the first one does its share.
  const standby = others.map((starting) => starting.catch(() => null));
  try {
    const { helper: worker, head } = await first!;
    const workerPromises = [
      Promise.resolve(worker),
      ...standby.map((standbyWorker) => standbyWorker.then((result) => result?.helper)),
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

/** Every event judged, by whoever has nothing to do; which one it is makes no difference. */
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

/** Candidates of a decision that a seat sees, told anew as the thinking goes on: twice as long each time, until nothing
 *  is open, `most` iterations are spent, or somebody stops it. The promise is kept when it ends. */
export function weighed(
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

/** What a move would have cost that somebody tries at an event, from what the seat saw there. */
export function tried(
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

/** What is wrong with a record, in the reader's language. */
export async function faultText({ fault: { key, words, why } }: RecordError): Promise<string> {
  if (!why) return say(key, words);
  return say(key, { ...words, why: await sentence(why.key, why.words), clause: why.clause });
}

/** An answer, or what went wrong, in the reader's language: something with a record, or what could not be loaded. */
async function translateErrors<Answer>(promise: Promise<Answer>): Promise<Answer> {
  try {
    return await promise;
  } catch (error) {
    if (error instanceof DataMissing) throw new Error(say('review_missing'));
    throw error instanceof RecordError ? new Error(await faultText(error)) : error;
  }
}
