/** Reviews that this device remembers, each with its record; and their sums, which are small, for the statistics.
 *  Where a browser keeps nothing, they last as long as the page. */
import { answered, opener } from '../lib/indexed';
import type { GameName } from '../lib/types';
import type { Account, Review } from '../review/types';
import type { Recorded } from './records';

export interface KeptReview {
  key: string;
  record: Recorded;
  review: Review;
}

/** What one's own seat came to in a game. */
export interface Sums {
  key: string;
  game: GameName;
  at: number;
  /** The strongest bot that was played against, or '' where people were. */
  level: string;
  account: Account;
}

const NAME = 'sixfold-reviews';
const REVIEWS = 'reviews';
const SUMS = 'sums';

const database = opener(NAME, { [REVIEWS]: 'key', [SUMS]: 'key' });

const memory = { [REVIEWS]: new Map<string, KeptReview>(), [SUMS]: new Map<string, Sums>() };

export async function keptReview(key: string): Promise<KeptReview | null> {
  const found = await database();
  const known = found
    ? await answered(
        found.transaction(REVIEWS).objectStore(REVIEWS).get(key) as IDBRequest<KeptReview | undefined>,
      )
    : memory[REVIEWS].get(key);
  return known ?? null;
}

/** Everything of one kind: all reviews, or all sums. */
async function every<Kind extends typeof REVIEWS | typeof SUMS>(
  kind: Kind,
): Promise<Kind extends typeof SUMS ? Sums[] : KeptReview[]> {
  const found = await database();
  const rows = found
    ? await answered(found.transaction(kind).objectStore(kind).getAll())
    : [...memory[kind].values()];
  return rows as Kind extends typeof SUMS ? Sums[] : KeptReview[];
}

export const keptReviews = (): Promise<KeptReview[]> => every(REVIEWS);
/** The sums of all games of this device that were looked at, the oldest first. */
export const keptSums = async (): Promise<Sums[]> =>
  (await every(SUMS)).toSorted((one, other) => one.at - other.at);

export async function keepReview(review: KeptReview): Promise<void> {
  const found = await database();
  if (found) await answered(found.transaction(REVIEWS, 'readwrite').objectStore(REVIEWS).put(review));
  else memory[REVIEWS].set(review.key, review);
}

export async function keepSums(sums: Sums): Promise<void> {
  const found = await database();
  if (found) await answered(found.transaction(SUMS, 'readwrite').objectStore(SUMS).put(sums));
  else memory[SUMS].set(sums.key, sums);
}

export async function deleteReviews(): Promise<void> {
  memory[REVIEWS].clear();
  memory[SUMS].clear();
  const found = await database();
  if (!found) return;
  const work = found.transaction([REVIEWS, SUMS], 'readwrite');
  work.objectStore(REVIEWS).clear();
  await answered(work.objectStore(SUMS).clear());
}
