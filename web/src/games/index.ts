/** One component a game, and a plain one for those that have none. */
import type { Component } from 'svelte';
import type { GameName, GameProps } from '../lib/types';

type Loading = () => Promise<{ default: Component<GameProps> }>;

const TABLES: Record<string, Loading> = {
  dice: () => import('./Dice.svelte'),
  cards: () => import('./Cards.svelte'),
  travel: () => import('./Travel.svelte'),
};

export const tableOf = (game: GameName): ReturnType<Loading> =>
  (TABLES[game] ?? (() => import('./Plain.svelte')))();
