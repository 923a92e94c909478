import { describe, expect, it } from 'vitest';
import { difference } from './ranking';

describe('why somebody is ahead', () => {
  it('is the lowest value', () => {
    expect(difference([18, 10, 12, 13, 14, 15], [9, 18, 18, 18, 18, 18])).toEqual({
      at: 0,
      ahead: 10,
      behind: 9,
    });
  });

  it('is the next one where the lowest are equal', () => {
    expect(difference([9, 12, 14, 15, 15, 15], [15, 15, 15, 13, 12, 9])).toEqual({
      at: 2,
      ahead: 14,
      behind: 13,
    });
  });

  it('is nothing where the lists are equal', () => {
    expect(difference([1, 2, 3, 4, 5, 6], [6, 5, 4, 3, 2, 1])).toBeNull();
  });
});
