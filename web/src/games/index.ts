/** One component a game, and a plain one for those that have none. */
import type { Component } from 'svelte';
import type { GameName, GameProps } from '../lib/types';

type Loading = () => Promise<{ default: Component<GameProps> }>;

const TABLES: Record<string, Loading> = {
  dice: () => import('./DiceTable.svelte'),
  cards: () => import('./CardsTable.svelte'),
  travel: () => import('./TravelTable.svelte'),
};

export const tableOf = (game: GameName): ReturnType<Loading> =>
  (TABLES[game] ?? (() => import('./GenericTable.svelte')))();
