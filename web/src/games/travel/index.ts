import type words from './words.en.json';
import { pairName } from '../../lib/language.svelte';
import type { Game } from '../game';
import { BY_NAME, CELLS, neighbours } from './board';
import Preview from './Preview.svelte';
import { target } from './lesson';

/** T6: the printed corner that the only tile on the board touches. */
function touchedCorner(rows: string[], printed: string[]): string | null {
  const isOccupied = (name: string): boolean => rows.join('')[BY_NAME.get(name)!.index] !== '.';
  const corners = CELLS.filter(({ index }) => printed.join('')[index] !== '.');
  return corners.find((corner) => neighbours(corner).some(({ name }) => isOccupied(name)))?.name ?? null;
}

declare module '../../lib/language.svelte' {
  interface Catalogue extends GameWords {}
}
type GameWords = typeof words;

export default {
  order: 3,
  clause: 'T',
  endsByValues: ['no_room'],
  declines: 'keep',
  table: () => import('./Table.svelte'),
  Preview,
  illustration: () => import('./Illustration.svelte'),
  piece: () => import('./Piece.svelte'),
  boardEditor: () => import('./BoardEditor.svelte'),
  setup: {
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
  moves: {
    place: ([item = '', ...cells]) => {
      const piece = { item, words: pairName(item) };
      const where = ` ${cells.join('–')}`;
      return { key: 'log_place', piece, where, short: [piece, where], advice: 'advise_place' };
    },
  },
  target,
} satisfies Game;
