import { describe, expect, it } from 'vitest';
import { offered, scoring, tapped, type Joker } from './jokers';

const joker = (letter: Joker['letter'], number: number, target: Joker['target']): Joker => ({
  letter,
  number,
  target,
});
const legal = new Set(['reroll', 'score', 'score R2>Y', 'score B2>O', 'score R2>Y B2>O', 'score R2>G']);

describe('jokers', () => {
  it('are written in the order of the notation', () => {
    expect(scoring([])).toBe('score');
    expect(scoring([joker('B', 2, 'O'), joker('R', 2, 'Y')])).toBe('score R2>Y B2>O');
    expect(scoring([joker('B', 2, 'Y'), joker('B', 2, 'R')])).toBe('score B2>R B2>Y');
  });

  it('are offered by the letter of their dice', () => {
    const found = offered(legal);
    expect([...found.keys()]).toEqual(['R', 'B']);
    expect(found.get('R')).toEqual([joker('R', 2, 'Y'), joker('R', 2, 'G')]);
  });

  it('are added, replaced and taken away by a tap', () => {
    const one = tapped([], joker('R', 2, 'Y'), legal);
    const two = tapped(one, joker('B', 2, 'O'), legal);
    expect(scoring(two)).toBe('score R2>Y B2>O');
    expect(scoring(tapped(one, joker('R', 2, 'G'), legal))).toBe('score R2>G');
    expect(scoring(tapped(two, joker('R', 2, 'Y'), legal))).toBe('score B2>O');
  });

  it('stay as they are where a tap leads to nothing legal', () => {
    expect(tapped([], joker('P', 2, 'R'), legal)).toEqual([]);
  });
});
