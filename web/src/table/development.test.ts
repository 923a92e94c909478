import { describe, expect, it } from 'vitest';
import { development, turnsOf } from './development';
import type { Replay } from '../lib/types';

const step = (player: number | null, ...values: number[]): object => ({
  events: [],
  player,
  gained: [],
  reach: [],
  position: { values: values.map((value) => Array<number>(6).fill(value)) },
});
const replay = (...steps: object[]): Replay => ({ names: ['Anne', 'Carl'], steps }) as unknown as Replay;

describe('how values developed', () => {
  it('is told turn by turn, each player by their own turns', () => {
    const rows = development(replay(step(null, 0, 0), step(0, 2, 0), step(1, 2, 1), step(0, 5, 1)));
    expect(rows.map((own) => own.map(([value]) => value))).toEqual([
      [0, 2, 5],
      [0, 1],
    ]);
    expect([turnsOf(rows, 0), turnsOf(rows, 1)]).toEqual([2, 1]);
  });

  it('counts several decisions in a row as one turn', () => {
    const rows = development(replay(step(null, 0, 0), step(0, 0, 0), step(0, 3, 0), step(1, 3, 1)));
    expect(rows[0]!.map(([value]) => value)).toEqual([0, 3]);
    expect(turnsOf(rows, 0)).toBe(1);
  });
});
