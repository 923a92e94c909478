/** Putting a way to score together from what the server lists as legal; which groups may be jokers is its business. */
import { LETTERS, isLetter, indexOf, type Letter } from '../../lib/symbols';

export interface Joker {
  letter: Letter;
  number: number;
  target: Letter;
}

const PATTERN = /^([RGBOYP])(\d)>([RGBOYP])$/;

export function parseJoker(token: string): Joker | null {
  const [, letter = '', number = '', target = ''] = PATTERN.exec(token) ?? [];
  return isLetter(letter) && isLetter(target) ? { letter, number: Number(number), target } : null;
}

export const write = (joker: Joker): string => `${joker.letter}${joker.number}>${joker.target}`;

/** A move with these jokers, in the order of the notation. */
export function scoring(jokers: Joker[]): string {
  const sorted = jokers.toSorted(
    (a, b) =>
      indexOf(a.letter) - indexOf(b.letter) || a.number - b.number || indexOf(a.target) - indexOf(b.target),
  );
  return ['score', ...sorted.map(write)].join(' ');
}

/** Every joker that some legal move has, by the letter of its dice. */
export function offered(legal: Iterable<string>): Map<Letter, Joker[]> {
  const jokersByToken = new Map<string, Joker>();
  for (const move of legal) {
    for (const token of move.split(' ').slice(1)) {
      const joker = parseJoker(token);
      if (joker) jokersByToken.set(token, joker);
    }
  }
  const byLetter = new Map<Letter, Joker[]>();
  for (const letter of LETTERS) {
    const jokersOfLetter = [...jokersByToken.values()].filter((joker) => joker.letter === letter);
    if (jokersOfLetter.length) byLetter.set(letter, jokersOfLetter);
  }
  return byLetter;
}

/** The jokers after one is tapped: added where that is legal, else in place of those of its letter; or taken away. */
export function tapped(jokers: Joker[], joker: Joker, legal: { has(move: string): boolean }): Joker[] {
  const without = jokers.filter((other) => write(other) !== write(joker));
  if (without.length < jokers.length) return without;
  const added = [...jokers, joker];
  if (legal.has(scoring(added))) return added;
  const replaced = [...jokers.filter((other) => other.letter !== joker.letter), joker];
  return legal.has(scoring(replaced)) ? replaced : jokers;
}
