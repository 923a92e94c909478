/** One component a game, and a plain one for those that have none. */
import type { Component } from 'svelte';
import type { GameName, GameProps } from '../lib/types';

type Loading = () => Promise<{ default: Component<GameProps> }>;

const TABLES: Record<string, Loading> = {
  dice: () => import('./dice/Table.svelte'),
  cards: () => import('./cards/Table.svelte'),
  travel: () => import('./travel/Table.svelte'),
};

export const tableOf = (game: GameName): ReturnType<Loading> =>
  (TABLES[game] ?? (() => import('./GenericTable.svelte')))();
