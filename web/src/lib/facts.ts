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

let asked: Promise<GameFacts[]> | undefined;

export function facts(): Promise<GameFacts[]> {
  asked ??= games();
  asked.catch(() => (asked = undefined)); // the next one asks again
  return asked;
}

export const factsOf = async (game: GameName): Promise<GameFacts> =>
  (await facts()).find(({ name }) => name === game)!;
