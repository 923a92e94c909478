/** The rules of each game in this page: loaded once, then available synchronously. */
import { open, type Bots } from '../rules';
import { rulesUrl } from './urls';
import type { GameName } from './types';

const requests = new Map<GameName, Promise<Bots>>();
const loaded = new Map<GameName, Bots>();

export function rulesOf(game: GameName): Promise<Bots> {
  let rules = requests.get(game);
  if (!rules) {
    rules = open(game, rulesUrl()) as Promise<Bots>;
    requests.set(game, rules);
    rules.then(
      (result) => loaded.set(game, result),
      () => requests.delete(game), // the next one asks again
    );
  }
  return rules;
}

/** The rules of a game, where they are here already. */
export const knownRules = (game: GameName): Bots | undefined => loaded.get(game);
