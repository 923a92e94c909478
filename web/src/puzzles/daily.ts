/** The puzzle of the day, the same for everybody, and what this device has solved; nothing about it leaves the device. */
import { keep, kept } from '../lib/settings.svelte';
import { GAMES, type GameName } from '../lib/types';

/** So many puzzles of each game ship. */
export const EACH = 100;
// A step that has no divisor in common with their number: every one has its turn before any comes again.
const STEP = 37;
const DAY = 86_400_000;

export const today = (now = Date.now()): number => Math.floor(now / DAY);

export interface Named {
  game: GameName;
  number: number;
}

/** The puzzle of a day, counted from 1970 (UTC): the games take turns, and none comes again within 300 days. */
export const ofDay = (day: number): Named => ({
  game: GAMES[day % GAMES.length]!,
  number: 1 + ((Math.floor(day / GAMES.length) * STEP) % EACH),
});

const nameOf = ({ game, number }: Named): string => `${game} ${number}`;

/** How it went: the number of tries until it was solved, or 0 where the answer was shown. */
type Results = Record<string, number>;

function resultsKept(name: string): Results {
  try {
    const found: unknown = JSON.parse(kept(name) ?? '{}');
    return found && typeof found === 'object' ? (found as Results) : {};
  } catch {
    return {};
  }
}

export const results = (): Results => resultsKept('puzzles');
export const resultOf = (puzzle: Named, all = results()): number | undefined => all[nameOf(puzzle)];

/** Remember how a puzzle went. What was solved once stays solved, and a day's first result is that day's. */
export function remember(puzzle: Named, tries: number, day = today()): void {
  const all = results();
  if (!all[nameOf(puzzle)]) keep('puzzles', JSON.stringify({ ...all, [nameOf(puzzle)]: tries }));
  const days = resultsKept('daily');
  if (nameOf(ofDay(day)) === nameOf(puzzle) && !(day in days))
    keep('daily', JSON.stringify({ ...days, [day]: tries }));
}

export const dayResult = (day = today()): number | undefined => resultsKept('daily')[day];

/** How many days in a row the daily puzzle was solved, until today or, while today's is open, until yesterday. */
export function streak(day = today()): number {
  const days = resultsKept('daily');
  let last = day in days ? day : day - 1;
  const begin = last;
  while (days[last]) last--;
  return begin - last;
}

/** The tries as shapes: empty ones missed, the full one hit. */
export const shapes = (tries: number): string => (tries ? '⬡'.repeat(tries - 1) + '⬢' : '⬡');
