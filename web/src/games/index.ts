/** One component a game. */
import type { Component } from 'svelte';
import type { GameName, GameProps } from '../lib/types';

export const TABLES: Record<GameName, () => Promise<{ default: Component<GameProps> }>> = {
  dice: () => import('./Dice.svelte'),
  cards: () => import('./Cards.svelte'),
  travel: () => import('./Travel.svelte'),
};
