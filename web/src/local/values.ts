/** Places from values, and states as text. */
import type { State } from '../rules';

/** Rank rows by their lowest value, then the next, and so on; unranked rows come last. */
export function rankedAscending(rows: number[][], isRanked: (at: number) => boolean = () => true): number[] {
  const scores = rows.map((row, at) => [Number(isRanked(at)), ...row.toSorted((a, b) => a - b)]);
  const isBetter = (a: number[], b: number[]): boolean => {
    const at = a.findIndex((value, index) => value !== b[index]);
    return at >= 0 && a[at]! > b[at]!;
  };
  return scores.map((score) => 1 + scores.filter((candidate) => isBetter(candidate, score)).length);
}

export const decodeState = (text: string): State =>
  Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
export const encodeState = (state: State): string => btoa(String.fromCharCode(...state));
