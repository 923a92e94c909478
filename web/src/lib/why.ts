/** Why somebody is ahead. */

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
