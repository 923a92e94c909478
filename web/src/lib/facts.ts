/** What the server says about its games. */
import { games } from './api';
import type { GameName } from './types';

export interface Option {
  kind: 'flag' | 'choice';
  default: boolean | string;
  choices?: string[];
}
export interface GameFacts {
  name: GameName;
  players: number[];
  options: Record<string, Option>;
  /** Several rounds may be agreed; and as many as these are usual. */
  series: boolean;
  rounds_default: Record<string, number>;
  last: number;
  goal: number;
  areas: number[];
  symbols: number;
  minutes: number;
}

const flag: Option = { kind: 'flag', default: false };
const once = { 2: 1, 3: 1, 4: 1 };
// Servers that do not tell yet have these three games.
const KNOWN: GameFacts[] = [
  {
    name: 'dice',
    players: [2, 3, 4],
    options: { split_jokers: flag, hidden_start: flag },
    series: true,
    rounds_default: { 2: 2, 3: 3, 4: 4 },
    last: 7,
    goal: 7,
    areas: [3, 6, 7],
    symbols: 6,
    minutes: 10,
  },
  {
    name: 'cards',
    players: [2, 3, 4],
    options: {},
    series: true,
    rounds_default: once,
    last: 10,
    goal: 7,
    areas: [3, 6, 10],
    symbols: 6,
    minutes: 15,
  },
  {
    name: 'travel',
    players: [2],
    options: { open_racks: flag },
    series: false,
    rounds_default: once,
    last: 18,
    goal: 18,
    areas: [18],
    symbols: 6,
    minutes: 20,
  },
];

let asked: Promise<GameFacts[]> | undefined;

export function facts(): Promise<GameFacts[]> {
  asked ??= games().catch(() => KNOWN);
  return asked;
}

export const factsOf = async (game: GameName): Promise<GameFacts> =>
  (await facts()).find(({ name }) => name === game)!;
