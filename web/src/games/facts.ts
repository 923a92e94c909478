/** What the rules say about the games that can be played here. */
import type { Description } from '../rules';
import { rulesUrl } from '../lib/urls';
import { otherGames } from '../lib/api';
import { GAMES, isGame } from '.';
import type { GameName } from '../lib/types';

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
  levels: number;
}

async function loadFacts(game: GameName): Promise<GameFacts> {
  const manifest = (await (await fetch(new URL(`${game}.json`, rulesUrl()))).json()) as Description;
  const options = Object.entries(manifest.options).map(([name, values]): [string, Option] => [
    name,
    typeof values[0] === 'boolean'
      ? { kind: 'flag', default: manifest.defaults[name]! }
      : { kind: 'choice', default: manifest.defaults[name]!, choices: values as string[] },
  ]);
  const { players, rounds, last, goal, areas, levels } = manifest;
  return {
    name: game,
    players,
    options: Object.fromEntries(options),
    series: Object.keys(rounds).length > 0,
    rounds_default: rounds,
    last,
    goal,
    areas,
    levels: levels[players[0]!]!.length,
  };
}

let factsRequest: Promise<GameFacts[]> | undefined;

export function facts(): Promise<GameFacts[]> {
  factsRequest ??= Promise.all(GAMES.map(loadFacts));
  factsRequest.catch(() => (factsRequest = undefined)); // the next one asks again
  return factsRequest;
}

/** The facts of a built-in game or of one that only the server knows; undefined for an unknown game. */
export const factsOf = async (game: GameName): Promise<GameFacts | undefined> =>
  (isGame(game) ? await facts() : await otherGames()).find(({ name }) => name === game);

/** The bots that can sit down, the weakest first. */
export const levels = async (): Promise<string[]> =>
  Array.from({ length: (await facts())[0]!.levels }, (_, index) => `level${index + 1}`);
