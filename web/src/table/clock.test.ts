import { describe, expect, it } from 'vitest';
import { timeLeft } from './clock';
import type { TableView } from '../lib/types';

const view = (clock: string, more: object = {}): TableView =>
  ({
    setup: { clock, seconds: 30 },
    stage: 'playing',
    turn: 0,
    turn_began: 1000,
    seats: [
      { kind: 'person', time_left: 90_000 },
      { kind: 'person', time_left: 80_000 },
      { kind: 'bot', time_left: 0 },
    ],
    ...more,
  }) as unknown as TableView;

describe('the time left', () => {
  it('of a decision runs only for the seat in turn', () => {
    expect(timeLeft(view('move'), 0, 21_000)).toBe(10_000);
    expect(timeLeft(view('move'), 0, 99_000)).toBe(0);
    expect(timeLeft(view('move'), 1, 21_000)).toBeNull();
  });

  it('of a game is each seat’s own', () => {
    expect(timeLeft(view('game'), 0, 21_000)).toBe(70_000);
    expect(timeLeft(view('game'), 1, 21_000)).toBe(80_000);
  });

  it('is nobody’s without a clock, for a bot, and when nothing is played', () => {
    expect(timeLeft(view('none'), 0, 21_000)).toBeNull();
    expect(timeLeft(view('game'), 2, 21_000)).toBeNull();
    expect(timeLeft(view('game', { stage: 'over' }), 0, 21_000)).toBeNull();
  });
});
