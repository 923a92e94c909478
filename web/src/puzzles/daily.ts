/** The puzzle of the day, the same for all players, and the results on this device; nothing leaves the device. */
import { writeSetting, readSetting } from '../lib/settings.svelte';
import { GAMES } from '../games';
import type { GameName } from '../lib/types';

/** The number of puzzles per game. */
export const EACH = 100;
// Coprime to the number of puzzles, so that each one has its day before any is repeated.
const STEP = 37;
const DAY = 86_400_000;

export const today = (now = Date.now()): number => Math.floor(now / DAY);

export interface PuzzleId {
  game: GameName;
  number: number;
}

/** The puzzle of a day, counted from 1970 (UTC): the games take turns, and none comes again within 300 days. */
export const ofDay = (day: number): PuzzleId => ({
  game: GAMES[day % GAMES.length]!,
  number: 1 + ((Math.floor(day / GAMES.length) * STEP) % EACH),
});

const keyOf = ({ game, number }: PuzzleId): string => `${game} ${number}`;

/** How it went: the number of tries until it was solved, or 0 where the answer was shown. */
type Results = Record<string, number>;

function storedResults(name: string): Results {
  try {
    const parsed: unknown = JSON.parse(readSetting(name) ?? '{}');
    return parsed && typeof parsed === 'object' ? (parsed as Results) : {};
  } catch {
    return {};
  }
}

export const results = (): Results => storedResults('puzzles');
export const resultOf = (puzzle: PuzzleId, stored = results()): number | undefined => stored[keyOf(puzzle)];

/** Remember how a puzzle went. What was solved once stays solved, and a day's first result is that day's. */
export function remember(puzzle: PuzzleId, tries: number, day = today()): void {
  const stored = results();
  if (!stored[keyOf(puzzle)]) writeSetting('puzzles', JSON.stringify({ ...stored, [keyOf(puzzle)]: tries }));
  const days = storedResults('daily');
  if (keyOf(ofDay(day)) === keyOf(puzzle) && !(day in days))
    writeSetting('daily', JSON.stringify({ ...days, [day]: tries }));
}

export const dayResult = (day = today()): number | undefined => storedResults('daily')[day];

/** How many days in a row the daily puzzle was solved, until today or, while today's is open, until yesterday. */
export function streak(day = today()): number {
  const days = storedResults('daily');
  let last = day in days ? day : day - 1;
  const lastDay = last;
  while (days[last]) last--;
  return lastDay - last;
}

/** The tries as shapes: empty ones missed, the full one hit. */
export const shapes = (tries: number): string => (tries ? '⬡'.repeat(tries - 1) + '⬢' : '⬡');
