/** Comparing players by their lowest values. */

export interface Why {
  /** 0 for the lowest value, 1 for the next, and so on. */
  at: number;
  ahead: number;
  behind: number;
}

export const ascending = (values: readonly number[]): number[] => values.toSorted((a, b) => a - b);

/** The first place at which two ascending lists differ. */
export function difference(first: readonly number[], second: readonly number[]): Why | null {
  const [a, b] = [ascending(first), ascending(second)];
  const at = a.findIndex((value, index) => value !== b[index]);
  return at < 0 ? null : { at, ahead: a[at]!, behind: b[at]! };
}
