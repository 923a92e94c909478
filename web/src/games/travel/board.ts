/** The geometry of the travel board: where cells lie and which are next to each other. No rules. */

const SIDE = 6; // cells along one side of the hexagon
const CELL = 10; // half the width of a cell
const STEP = CELL * Math.sqrt(3);
const ROWS = Array.from({ length: 2 * SIDE - 1 }, (_, row) => 2 * SIDE - 1 - Math.abs(row - SIDE + 1));

export interface Cell {
  name: string;
  row: number;
  number: number;
  index: number;
  x: number;
  y: number;
}

export const CELLS: Cell[] = ROWS.flatMap((length, row) =>
  Array.from({ length }, (_, number) => ({
    name: `${String.fromCharCode(97 + row)}${number + 1}`,
    row,
    number,
    index: 0,
    x: (2 * number - length + 1) * CELL,
    y: (row - SIDE + 1) * STEP,
  })),
);
CELLS.forEach((cell, index) => (cell.index = index));

export const CENTRE = (CELLS.length - 1) / 2;

export const BY_NAME = new Map(CELLS.map((cell) => [cell.name, cell]));

/** Six directions, clockwise from the right. */
export const DIRECTIONS = Array.from({ length: 6 }, (_, at) => {
  const angle = (at * Math.PI) / 3;
  return { x: 2 * CELL * Math.cos(angle), y: 2 * CELL * Math.sin(angle) };
});

export function cellAt(x: number, y: number): Cell | undefined {
  let best: Cell | undefined;
  let nearest = CELL * CELL * 1.35;
  for (const cell of CELLS) {
    const distance = (cell.x - x) ** 2 + (cell.y - y) ** 2;
    if (distance < nearest) {
      nearest = distance;
      best = cell;
    }
  }
  return best;
}

export function neighbour(cell: Cell, direction: number): Cell | undefined {
  const step = DIRECTIONS[((direction % 6) + 6) % 6]!;
  const target = cellAt(cell.x + step.x, cell.y + step.y);
  return target && target !== cell ? target : undefined;
}

export const neighbours = (cell: Cell): Cell[] =>
  DIRECTIONS.flatMap((_, direction) => neighbour(cell, direction) ?? []);

/** A placement in the notation: the cells in board order, the letters following them. */
export function placement(cell: Cell, otherCell: Cell, letter: string, otherLetter: string): string {
  return cell.index < otherCell.index
    ? `place ${letter}${otherLetter} ${cell.name} ${otherCell.name}`
    : `place ${otherLetter}${letter} ${otherCell.name} ${cell.name}`;
}
