/** All games with a folder; any other game is played at a plain table. */
import type { Component } from 'svelte';
import type { GameName, GameProps } from '../lib/types';
import type { Game, Setup } from './game';

const MODULES = import.meta.glob<Game>('./*/index.ts', { eager: true, import: 'default' });
const FOLDERS = Object.entries(MODULES)
  .map(([path, game]) => [path.split('/')[1] as GameName, game] as const)
  .sort(([, a], [, b]) => a.order - b.order);
const BY_NAME = new Map<string, Game>(FOLDERS);

export const GAMES: GameName[] = FOLDERS.map(([name]) => name);
export const isGame = (text: string): text is GameName => BY_NAME.has(text);

export const gameOf = (name: string): Game | undefined => BY_NAME.get(name);
export const setupOf = (name: string): Setup => BY_NAME.get(name)!.setup;
export const tableOf = (name: string): Promise<{ default: Component<GameProps> }> =>
  (BY_NAME.get(name)?.table ?? (() => import('./GenericTable.svelte')))();
