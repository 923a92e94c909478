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
    const groups = offered(legal);
    expect([...groups.keys()]).toEqual(['R', 'B']);
    expect(groups.get('R')).toEqual([joker('R', 2, 'Y'), joker('R', 2, 'G')]);
  });

  it('are added, replaced and taken away by a tap', () => {
    const single = tapped([], joker('R', 2, 'Y'), legal);
    const pair = tapped(single, joker('B', 2, 'O'), legal);
    expect(scoring(pair)).toBe('score R2>Y B2>O');
    expect(scoring(tapped(single, joker('R', 2, 'G'), legal))).toBe('score R2>G');
    expect(scoring(tapped(pair, joker('R', 2, 'Y'), legal))).toBe('score B2>O');
  });

  it('stay as they are where a tap leads to nothing legal', () => {
    expect(tapped([], joker('P', 2, 'R'), legal)).toEqual([]);
  });
});
