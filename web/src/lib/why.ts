/** Why a round is over, and why somebody is ahead. */
import type { OverWhy, View } from './types';

export interface Why {
  /** 0 for the lowest value, 1 for the next, and so on. */
  at: number;
  ahead: number;
  behind: number;
}

export const ascending = (values: readonly number[]): number[] =>
  values.toSorted((one, other) => one - other);

/** The first place at which two ascending lists differ. */
export function difference(first: readonly number[], second: readonly number[]): Why | null {
  const [one, other] = [ascending(first), ascending(second)];
  const at = one.findIndex((value, index) => value !== other[index]);
  return at < 0 ? null : { at, ahead: one[at]!, behind: other[at]! };
}

// The lowest value that ends each game, for servers that do not say why a round is over.
const GOALS: Record<string, [number, OverWhy]> = {
  dice: [7, 'boxes_full'],
  cards: [7, 'chips_home'],
  travel: [18, 'all_18'],
};

/** What ended a round that was played out: D13, C15, T18 or T19; nothing where somebody gave up or ran out of time. */
export function overWhy(view: View): OverWhy | null {
  if (view.result?.why !== 'played') return null;
  if (view.last?.over_why) return view.last.over_why;
  const [goal, reached] = GOALS[view.setup.game]!;
  return view.result.values.some((row) => Math.min(...row) >= goal) ? reached : 'no_room';
}
