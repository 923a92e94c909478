/** Places from values, and states as text. */
import type { State } from '../rules';

/** Places by the lowest value, then the next, and so on; who counts comes before who does not. */
export function rankedAscending(rows: number[][], counts: (at: number) => boolean = () => true): number[] {
  const marks = rows.map((row, at) => [Number(counts(at)), ...row.toSorted((a, b) => a - b)]);
  const better = (one: number[], other: number[]): boolean => {
    const at = one.findIndex((value, index) => value !== other[index]);
    return at >= 0 && one[at]! > other[at]!;
  };
  return marks.map((mine) => 1 + marks.filter((other) => better(other, mine)).length);
}

export const stateFrom = (text: string): State =>
  Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
export const stateText = (state: State): string => btoa(String.fromCharCode(...state));
