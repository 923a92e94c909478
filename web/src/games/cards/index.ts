import type words from './words.en.json';
import { pairName } from '../../lib/language.svelte';
import type { Game } from '../game';
import Preview from './Preview.svelte';
import { target } from './lesson';

declare module '../../lib/language.svelte' {
  interface Catalogue extends GameWords {}
}
type GameWords = typeof words;

export default {
  order: 2,
  clause: 'C',
  declines: 'keep',
  table: () => import('./Table.svelte'),
  Preview,
  illustration: () => import('./Illustration.svelte'),
  piece: () => import('./Piece.svelte'),
  setup: {
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
  moves: {
    play: ([item = '']) => {
      const piece = { item, words: pairName(item) };
      return { key: 'log_play', piece, short: [piece], advice: 'advise_play' };
    },
  },
  target,
} satisfies Game;
