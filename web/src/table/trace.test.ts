import { describe, expect, it } from 'vitest';
import { parseMove, recentMoves } from './trace';
import type { EventShown } from '../lib/types';

let version = 0;
const event = (
  type: string,
  seat: number,
  events?: string[],
  more: Partial<EventShown> = {},
): EventShown => ({
  type,
  at: 0,
  version: ++version,
  line: { key: '', words: {} },
  seat,
  events: events ?? null,
  ...more,
});
const deal = event('start', 0, undefined, { deal: ['deal 0 RG'] });
const ownMove = event('move', 0, ['0 place RG c4 c5', 'draw 0 ??']);
const otherMove = event('move', 1, ['1 place BB d4 d5']);
const bonus = event('move', 1, ['1 place OY e4 e5']);
const swap = event('move', 1, ['1 swap', 'draw 1 ??']);

describe('the trace', () => {
  it('is what the others did since one’s own turn, also after a swap', () => {
    expect(recentMoves([deal, ownMove, otherMove, bonus, swap], 0)).toEqual([otherMove, bonus, swap]);
  });

  it('is one’s own turn until somebody answers', () => {
    expect(recentMoves([deal, otherMove, ownMove, event('react', 1)], 0)).toEqual([ownMove]);
  });

  it('is the last turn for who watches', () => {
    expect(recentMoves([deal, ownMove, otherMove, bonus], null)).toEqual([otherMove, bonus]);
  });

  it('begins anew with a round, and knows nothing that was taken back', () => {
    expect(recentMoves([deal, ownMove, deal], 0)).toEqual([]);
    expect(recentMoves([deal, otherMove, ownMove, event('undo', 0)], 0)).toEqual([otherMove]);
  });

  it('reads a move and who rolled after it', () => {
    expect(parseMove(ownMove)).toEqual({ player: 0, word: 'place', rest: ['RG', 'c4', 'c5'] });
  });
});
