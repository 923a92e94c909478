/** Where reviewing is done, in a worker or not: it opens records, judges their events, and weighs moves. */
import { fetchData, open, type Bots, type GameName, type State } from '../rules';
import { Judge, shared } from './judging';
import { headOf, told, type Told } from './record';
import {
  about,
  candidatesOf,
  decision,
  judge,
  ITERATIONS,
  seedOf,
  type Head,
  type Judged,
} from './reviewing';
import type { Candidate, Decision } from './types';

/** Where modules and their data come from. */
export interface Source {
  rules(game: string): Promise<Bots>;
  give(rules: Bots, data: string): Promise<void>;
}

export const fetchedFrom = (folder: string): Source => ({
  rules: (game) => open(game as GameName, folder) as Promise<Bots>,
  give: (rules, data) => fetchData(rules, data, folder),
});

export interface Found {
  candidates: Candidate[];
  iterations: number;
  /** Longer thinking would find nothing more. */
  exact: boolean;
}

/** A module or its data could not be loaded. */
export class Missing extends Error {}

const orMissing = async <Loaded>(loading: Promise<Loaded>): Promise<Loaded> =>
  loading.catch((error: unknown) => {
    throw new Missing(error instanceof Error ? error.message : String(error));
  });

// Whoever looks at one position wants the same answer as another.
const SEED = 1;
// Hidden hands are dealt so often to guess the others' chances.
const GUESSES = 16;

export class Desk {
  #source: Source;
  #rules = new Map<string, Promise<Bots>>();
  #opened = new Map<number, { game: Told; by: Judge }>();

  constructor(source: Source) {
    this.#source = source;
  }

  #rulesOf(game: string): Promise<Bots> {
    const asked = this.#rules.get(game);
    if (asked) return asked;
    const made = orMissing(this.#source.rules(game));
    this.#rules.set(game, made);
    made.catch(() => this.#rules.delete(game)); // the next one asks again
    return made;
  }

  async #judgeOf(game: string, players: number): Promise<Judge> {
    const rules = await this.#rulesOf(game);
    const data = rules.about.judges[players]?.data;
    if (data != null && rules.wants(data)) await orMissing(this.#source.give(rules, data));
    return new Judge(rules, players);
  }

  /** Read a record, to judge its events by a number of its own. */
  async open(key: number, record: unknown): Promise<Head> {
    const head = headOf(record);
    const game = told(await this.#rulesOf(head.game), head);
    const by = await this.#judgeOf(head.game, head.players);
    this.#opened.set(key, { game, by });
    return about(by, game);
  }

  /** An event of an open record; 0 is what was before the first. */
  judge(key: number, number: number, iterations: number, seed: number): Judged {
    const { game, by } = this.#opened.get(key)!;
    return judge(by, game, number, iterations, seed);
  }

  close(key: number): void {
    this.#opened.delete(key);
  }

  /** Weigh the moves of a seat that has to decide, and tell after every round until nothing is open. */
  async weigh(
    game: string,
    view: State,
    seat: number,
    most: number,
    tell: (found: Found) => void,
    stopped: () => boolean,
  ): Promise<void> {
    const rules = await this.#rulesOf(game);
    if (rules.turn(view) !== seat) throw new Error(`player ${seat} has nothing to decide here`);
    const by = await this.#judgeOf(game, rules.number(view, 'players'));
    // Which move looks best: the others are compared with that.
    by.begin(view, rules.legal(view)[0]!);
    const first = rules.memory.array('raced', 'int16')[0]!;
    by.begin(view, first);
    const told = (): void => {
      const candidates = candidatesOf(rules, by.found(view, seat, first));
      tell({ candidates, iterations: by.spent, exact: by.exact });
    };
    if (by.exact) told();
    while (!stopped() && by.goOn(view, seat, most, SEED)) {
      told();
      await new Promise((resolve) => setTimeout(resolve));
    }
  }

  /** A move that is tried at an event, judged as if it had been the move of the game. */
  async tried(game: string, view: State, seat: number, number: number, move: string): Promise<Decision> {
    const rules = await this.#rulesOf(game);
    const by = await this.#judgeOf(game, rules.number(view, 'players'));
    const choices = rules.legal(view).length;
    const task = { number, player: seat, move: rules.spelling.number(move), choices, before: view };
    return decision(by, task, ITERATIONS, seedOf(SEED, number), 0);
  }

  /** Everybody's chance as a seat sees it, or a spectator: what is hidden is dealt anew for the others' views. */
  async chances(game: string, view: State, seat: number | null, iterations = ITERATIONS): Promise<number[]> {
    const rules = await this.#rulesOf(game);
    const players = rules.number(view, 'players');
    const by = await this.#judgeOf(game, players);
    const everybody = Array.from({ length: players }, (_, player) => player);
    if (by.exact) return everybody.map((player) => by.chanceOf(view, player, 0, SEED));
    const sums = everybody.map(() => 0);
    for (let number = 0; number < GUESSES; number++) {
      const guess = rules.guess(view, seat, rules.chance(SEED, number));
      for (const player of everybody) {
        const part = iterations / players / GUESSES;
        sums[player]! += by.chanceOf(rules.hide(guess, player), player, part, SEED + number);
      }
    }
    return shared(sums.map((sum) => sum / GUESSES));
  }
}
