/** What the position editor needs to know of each game: the clauses, the limits and the derived parts. */
import { BY_NAME, CELLS, neighbour } from './travel/board';

type Fields = Record<string, unknown>;

export interface Setup {
  /** The clauses about: how many there are of each item, a player's values, what bars them, what everybody has, what is
   *  hidden, and the board. */
  clauses: {
    items: string;
    values: string;
    areas: string;
    held: Record<string, string>;
    hidden: string;
    board: string;
  };
  /** What others do not see. */
  secret?: string;
  /** Where chance may be asked before a decision: how many times it has spoken, and what the phase before is called. */
  rolls?: { part: string; before: string; most: number };
  /** How many a player has of what is shown under a name: at the beginning of a turn, and during one. */
  sizes: (players: number) => Record<string, { usual: number; most: number }>;
  /** The parts that follow from the others, given the numbers of tiles on the board, unseen items and hidden items. */
  follows: (position: Fields, laid: number, unseen: number, hidden: number) => Fields;
}

/** T6: the printed corner that the only tile on the board touches. */
function touchedCorner(rows: string[], printed: string[]): string | null {
  const corners = CELLS.filter(({ index }) => printed.join('')[index] !== '.');
  const isOccupied = (name: string): boolean => rows.join('')[BY_NAME.get(name)!.index] !== '.';
  const touchedCell = corners.find((cell) =>
    Array.from({ length: 6 }, (_, direction) => neighbour(cell, direction)).some(
      (next) => next && isOccupied(next.name),
    ),
  );
  return touchedCell?.name ?? null;
}

const SETUPS: Record<string, Setup> = {
  travel: {
    clauses: { items: 'T2', values: 'T3', areas: 'T12', held: { racks: 'T15' }, hidden: 'T4', board: 'T1' },
    secret: 'racks',
    sizes: () => ({ racks: { usual: 6, most: 6 } }),
    follows: ({ board, printed, corner: touched }, laid, unseen, hidden) => ({
      placed: laid,
      bag: unseen - hidden,
      // T6: after the first round it does not matter any more.
      corner: laid > 1 ? touched : laid ? touchedCorner(board as string[], printed as string[]) : null,
    }),
  },
  cards: {
    clauses: {
      items: 'C1',
      values: 'C2',
      areas: 'C10',
      held: { hands: 'C11', open: 'C4' },
      hidden: 'C3',
      board: '',
    },
    secret: 'hands',
    // C6, C11: until the turn is over, one more card lies open.
    sizes: (players) => {
      const usual = players === 2 ? 2 : 1;
      return { hands: { usual: 6, most: 6 }, open: { usual, most: usual + 1 } };
    },
    follows: (_, __, unseen, hidden) => ({ pile: unseen - hidden }),
  },
  dice: {
    clauses: { items: 'D1', values: 'D2', areas: 'D11', held: { dice: 'D1' }, hidden: '', board: '' },
    rolls: { part: 'rolls', before: 'roll', most: 3 },
    sizes: (players) => ({ dice: { usual: 6 - players, most: 6 - players } }),
    follows: () => ({}),
  },
};

export const setupOf = (game: string): Setup => SETUPS[game]!;
