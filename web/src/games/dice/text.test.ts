import { expect, it } from 'vitest';
import { rolledBy } from './text';

it('finds the players who rolled after a move', () => {
  expect(rolledBy({ events: ['0 score', 'roll 1 R G'] })).toEqual([1]);
});
