import { describe, expect, it } from 'vitest';
import { BY_NAME, CELLS, neighbour, placement } from './board';

const names = (name: string): (string | undefined)[] =>
  Array.from({ length: 6 }, (_, direction) => neighbour(BY_NAME.get(name)!, direction)?.name);

describe('the board', () => {
  it('has 91 cells in rows of 6 to 11 and back', () => {
    expect(CELLS).toHaveLength(91);
    expect(CELLS.filter((cell) => cell.row === 5)).toHaveLength(11);
  });

  it('knows the neighbours, clockwise from the right', () => {
    expect(names('f6')).toEqual(['f7', 'g6', 'g5', 'f5', 'e5', 'e6']);
    expect(names('b2')).toEqual(['b3', 'c3', 'c2', 'b1', 'a1', 'a2']);
    expect(names('j1')).toEqual(['j2', 'k1', undefined, undefined, 'i1', 'i2']);
    expect(names('a1')).toEqual(['a2', 'b2', 'b1', undefined, undefined, undefined]);
  });

  it('writes a placement in board order, whichever half is held', () => {
    const [c4, c5] = [BY_NAME.get('c4')!, BY_NAME.get('c5')!];
    expect(placement(c4, c5, 'R', 'G')).toBe('place RG c4 c5');
    expect(placement(c5, c4, 'R', 'G')).toBe('place GR c4 c5');
  });
});
