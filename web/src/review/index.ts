/** Looking back in the page itself: reviews of records, moves weighed, chances of positions. All of it runs in workers,
 *  can be stopped, and says what `sixfold review` says (docs/review.md). */
import { say } from '../lib/language.svelte';
import { isGame } from '../lib/types';
import { sentence } from '../local/sentences';
import type { GameName, State } from '../rules';
import { Missing, type Found } from './desk';
import { helpersFor, letGo, type Helper } from './helpers';
import { headOf, RecordError } from './record';
import { ITERATIONS, summedUp, type Head, type Judged } from './reviewing';
import type { Decision, Progress, Review } from './types';

export type * from './types';

const SEED = 1;
// How long a single decision may be thought about.
const LONGEST = 4 * ITERATIONS;
let opened = 0;

/** Review a record: whatever `sixfold check` accepts. Steps are told in the order of the events, as soon as they and all
 *  before them are judged. A record that breaks a rule is refused with a sentence that says where and why. */
export const reviewed = (
  record: unknown,
  tell: (progress: Progress) => void = () => {},
  signal?: AbortSignal,
): Promise<Review> => answered(reviewOf(record, tell, signal));

async function reviewOf(
  record: unknown,
  tell: (progress: Progress) => void,
  signal?: AbortSignal,
): Promise<Review> {
  // What a page keeps may be watched, and cannot be sent as it is.
  const plain = headOf(JSON.parse(JSON.stringify(record ?? null)));
  if (!isGame(plain.game)) throw new RecordError({ key: 'record_bad', words: { what: 'game' } });
  const key = ++opened;
  const helpers = helpersFor(plain.events.length + 1);
  const [first, ...others] = helpers.map((helper) =>
    helper
      .ask<Head>({ do: 'open', key, record: plain }, undefined, signal)
      .then((head) => ({ helper, head })),
  );
  // Where one of them cannot begin, the first one does its share.
  const ready = others.map((other) => other.catch(() => null));
  try {
    const { helper, head } = await first!;
    const hands = [Promise.resolve(helper), ...ready.map((one) => one.then((found) => found?.helper))];
    return summedUp(head, await judgedBy(hands, key, head.total, tell, signal), ITERATIONS, SEED);
  } finally {
    helpers.forEach((helper) => void helper.ask({ do: 'close', key }).then(letGo, () => {}));
  }
}

/** Every event judged, by whoever has nothing to do; which one it is makes no difference. */
async function judgedBy(
  hands: Promise<Helper | undefined>[],
  key: number,
  total: number,
  tell: (progress: Progress) => void,
  signal?: AbortSignal,
): Promise<Judged[]> {
  const found: Judged[] = [];
  let next = 0;
  let shown = 0;
  const work = async (ready: Promise<Helper | undefined>): Promise<void> => {
    const helper = await ready;
    while (helper && next <= total) {
      const number = next++;
      const job = { do: 'judge', key, number, iterations: ITERATIONS, seed: SEED } as const;
      found[number] = await helper.ask<Judged>(job, undefined, signal);
      for (; found[shown]; shown++) {
        const { step, chances } = found[shown]!;
        if (step) tell({ done: shown, total, step, chances });
      }
    }
  };
  await Promise.all(hands.map(work));
  return found;
}

/** Candidates of a decision that a seat sees, told anew as the thinking goes on: twice as long each time, until nothing
 *  is open, `most` iterations are spent, or somebody stops it. The promise is kept when it ends. */
export function weighed(
  game: GameName,
  view: State,
  seat: number,
  tell: (found: Found) => void,
  signal?: AbortSignal,
  most = LONGEST,
): Promise<void> {
  const [helper] = helpersFor(1);
  return answered(helper!.ask({ do: 'weigh', game, view, seat, most }, tell, signal));
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
  const [helper] = helpersFor(1);
  return answered(helper!.ask({ do: 'try', game, view, seat, number, move }, undefined, signal));
}

/** Everybody's chance in a position, as a seat sees it, or without one a spectator, in points. */
export function chances(
  game: GameName,
  view: State,
  seat: number | null,
  signal?: AbortSignal,
): Promise<number[]> {
  const [helper] = helpersFor(1);
  return answered(helper!.ask({ do: 'chances', game, view, seat }, undefined, signal));
}

/** What is wrong with a record, in the reader's language. */
export async function inWords({ fault: { key, words, why } }: RecordError): Promise<string> {
  if (!why) return say(key, words);
  return say(key, { ...words, why: await sentence(why.key, why.words), clause: why.clause });
}

/** An answer, or what went wrong, in the reader's language: something with a record, or what could not be loaded. */
async function answered<Answer>(asked: Promise<Answer>): Promise<Answer> {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof Missing) throw new Error(say('review_missing'));
    throw error instanceof RecordError ? new Error(await inWords(error)) : error;
  }
}
