import type words from './words.en.json';
import type { Game } from '../game';
import Preview from './Preview.svelte';
import { target } from './lesson';
import { chance, moves } from './text';

declare module '../../lib/language.svelte' {
  interface Catalogue extends GameWords {}
}
type GameWords = typeof words;

export default {
  order: 1,
  clause: 'D',
  table: () => import('./Table.svelte'),
  Preview,
  illustration: () => import('./Illustration.svelte'),
  piece: () => import('./Piece.svelte'),
  setup: {
    clauses: { items: 'D1', values: 'D2', areas: 'D11', held: { dice: 'D1' }, hidden: '', board: '' },
    rolls: { part: 'rolls', before: 'roll', most: 3 },
    sizes: (players) => ({ dice: { usual: 6 - players, most: 6 - players } }),
    follows: () => ({}),
  },
  moves,
  reportedWithChance: ['reroll'],
  chance,
  target,
} satisfies Game;
