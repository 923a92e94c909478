/** Reviews that this device remembers, each with its record; and their sums, which are small, for the statistics.
 *  Where a browser keeps nothing, they last as long as the page. */
import { requestResult, databaseOpener } from '../lib/indexed-db';
import type { GameName } from '../lib/types';
import type { Account, Review } from './engine/types';
import type { CheckedRecord } from './records';

export interface StoredReview {
  key: string;
  record: CheckedRecord;
  review: Review;
}

/** The totals of this device's player in one game. */
export interface Sums {
  key: string;
  game: GameName;
  at: number;
  /** The strongest bot that was played against, or '' where people were. */
  level: string;
  account: Account;
}

const DATABASE_NAME = 'sixfold-reviews';
const REVIEWS = 'reviews';
const SUMS = 'sums';

const database = databaseOpener(DATABASE_NAME, { [REVIEWS]: 'key', [SUMS]: 'key' });

const memoryFallback = { [REVIEWS]: new Map<string, StoredReview>(), [SUMS]: new Map<string, Sums>() };

export async function storedReview(key: string): Promise<StoredReview | null> {
  const db = await database();
  const stored = db
    ? await requestResult(
        db.transaction(REVIEWS).objectStore(REVIEWS).get(key) as IDBRequest<StoredReview | undefined>,
      )
    : memoryFallback[REVIEWS].get(key);
  return stored ?? null;
}

/** Everything of one kind: all reviews, or all sums. */
async function readAll<Kind extends typeof REVIEWS | typeof SUMS>(
  kind: Kind,
): Promise<Kind extends typeof SUMS ? Sums[] : StoredReview[]> {
  const db = await database();
  const rows = db
    ? await requestResult(db.transaction(kind).objectStore(kind).getAll())
    : [...memoryFallback[kind].values()];
  return rows as Kind extends typeof SUMS ? Sums[] : StoredReview[];
}

export const storedReviews = (): Promise<StoredReview[]> => readAll(REVIEWS);
/** The sums of all games of this device that were looked at, the oldest first. */
export const storedSums = async (): Promise<Sums[]> => (await readAll(SUMS)).toSorted((a, b) => a.at - b.at);

export async function storeReview(review: StoredReview): Promise<void> {
  const db = await database();
  if (db) await requestResult(db.transaction(REVIEWS, 'readwrite').objectStore(REVIEWS).put(review));
  else memoryFallback[REVIEWS].set(review.key, review);
}

export async function storeSums(sums: Sums): Promise<void> {
  const db = await database();
  if (db) await requestResult(db.transaction(SUMS, 'readwrite').objectStore(SUMS).put(sums));
  else memoryFallback[SUMS].set(sums.key, sums);
}

export async function deleteReviews(): Promise<void> {
  memoryFallback[REVIEWS].clear();
  memoryFallback[SUMS].clear();
  const db = await database();
  if (!db) return;
  const transaction = db.transaction([REVIEWS, SUMS], 'readwrite');
  transaction.objectStore(REVIEWS).clear();
  await requestResult(transaction.objectStore(SUMS).clear());
}
