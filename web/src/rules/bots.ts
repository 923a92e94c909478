/** The bots of one game. They see only a seat's view and choose the same moves as the server's bots. */
import type { Habits, Level } from './manifest';
import type { State } from './memory';
import { Rules, type Chance, type GameName } from './rules';

/** How long a bot may think: milliseconds, or iterations where the answer must be repeatable. */
export interface Budget {
  milliseconds?: number | undefined;
  iterations?: number | undefined;
}

// Slips are given in percent.
const PERCENT = 100;
const GREEDY = 0;
const LOOKAHEAD = 1;
// The default time budget of a search, which checks the clock about every five milliseconds.
const SEARCH_MILLISECONDS = 700;
const FIRST_CHUNK = 32;
const CHUNK_MILLISECONDS = 5;
// The default time budget of a net's search.
const NET_MILLISECONDS = 300;
// Effectively unlimited.
const UNLIMITED = 2 ** 30;

export class Bots<Game extends GameName = GameName> extends Rules<Game> {
  #loadedData = new Set<string>();

  /** The data that a bot plays by, with some number of players or with any: files are named `<game>.<data>.data`. */
  dataOf(bot: string, players?: number): string[] {
    const data = this.about.bots[bot] ?? bot;
    const matches = (name: string): boolean =>
      players === undefined ? name.startsWith(`${data}.`) : name === `${data}.${players}`;
    return Object.keys(this.about.data).filter((name) => name === data || matches(name));
  }

  /** Is data missing that a bot needs, for a number of players or for any? */
  wants(bot: string, players?: number): boolean {
    return this.dataOf(bot, players).some((name) => !this.#loadedData.has(name));
  }

  /** Give bots their data: the content of the file `<game>.<data>.data`. */
  async give(data: string, file: ArrayBuffer): Promise<void> {
    const names = this.about.data[data];
    if (!names) throw new Error(`there is no data ${data} for ${this.about.game}`);
    const bytes = await gunzip(file);
    const sizes = names.map((name) => {
      const { type, shape } = this.about.buffers[name]!;
      return shape.reduce((product, length) => product * length, TYPE_SIZES[type]);
    });
    if (bytes.length !== sizes.reduce((sum, size) => sum + size, 0))
      throw new Error(`the data ${data} does not fit this module`);
    let offset = 0;
    names.forEach((name, at) => {
      this.memory.at(name, sizes[at]!).set(bytes.subarray(offset, offset + sizes[at]!));
      offset += sizes[at]!;
    });
    this.#loadedData.add(data);
  }

  /** What makes a level, counted from 1, with some number of players. */
  level(players: number, number: number): Level {
    const level = this.about.levels[players]?.[number - 1];
    if (!level) throw new Error(`${this.about.game} has no level ${number} for ${players} players`);
    return level;
  }

  /** The whole turn of a level (`level1` to `level5`) or a bot: its move and, if the move leads to a private choice, that
   *  choice too. T16, C13: the choice is made quickly, so that no pause reveals it. */
  chooseTurn(
    level: string,
    view: State,
    seat: number,
    chance: Chance,
    budget: Budget = {},
  ): { move: number; then: number | null } {
    const levelNumber = Number(/^level(\d)$/.exec(level)?.[1]);
    const choose = (state: State, limit: Budget): number =>
      levelNumber
        ? this.chooseAt(levelNumber, state, seat, chance, limit)
        : this.choose(level, state, seat, chance, limit);
    const move = choose(view, budget);
    // A choice depends only on what the seat sees, so any guess of the rest will do.
    const after = this.act(this.guess(view, seat, this.chance(0)), move);
    if (!this.choosing(after)) return { move, then: null };
    const milliseconds = Math.min(budget.milliseconds ?? Infinity, this.about.choice_ms);
    return { move, then: choose(this.hide(after, seat), { ...budget, milliseconds }) };
  }

  /** A level's move, within its own budget or the given one if that is smaller. */
  chooseAt(number: number, view: State, seat: number, chance: Chance, budget: Budget = {}): number {
    const level = this.level(this.number(view, 'players'), number);
    if (level.slips && this.below(chance, PERCENT) < level.slips) return this.#randomBetterMove(view, chance);
    return this.choose(level.bot, view, seat, chance, effectiveBudget(level, budget), level.habits);
  }

  /** A bot's move: the same view, iterations and chance give the same. */
  choose(
    bot: string,
    view: State,
    seat: number,
    chance: Chance,
    budget: Budget = {},
    habits: Habits = {},
  ): number {
    if (bot === 'random') {
      const moves = this.legal(view);
      return moves[this.below(chance, moves.length)]!;
    }
    if (bot === 'greedy')
      return this.#evaluated(view, GREEDY, chance, (number) => this.exports.any_best(number));
    if (bot === 'careful')
      return this.#evaluated(view, LOOKAHEAD, chance, (number) => this.exports.best(number));
    if (bot === 'search') return this.#search(view, seat, chance, budget);
    this.#requireData(bot, this.number(view, 'players'));
    this.memory.put(view);
    if (bot === 'net')
      return this.with(chance, () => this.exports.net(habits.looks ?? UNLIMITED, habits.blind ?? 0));
    if (bot === 'netsearch') return this.#netSearch(seat, chance, budget);
    return (this.exports as unknown as Record<string, () => number>)[bot]!();
  }

  #evaluated(view: State, depth: number, chance: Chance, pick: (number: number) => number): number {
    this.memory.put(view);
    const number = this.exports.judge(depth);
    return this.memory.array('moves', 'int16')[this.with(chance, () => pick(number))]!;
  }

  /** A uniformly random move from the better half. */
  #randomBetterMove(view: State, chance: Chance): number {
    return this.#evaluated(view, GREEDY, chance, (number) => this.exports.any_better(number));
  }

  #search(view: State, seat: number, chance: Chance, budget: Budget): number {
    this.memory.put(view);
    const number = this.exports.judge(LOOKAHEAD);
    this.with(chance, () => this.exports.root(number));
    if (number === 1) return this.memory.array('moves', 'int16')[0]!;
    this.#exploreWithinBudget(seat, number, budget);
    return this.exports.most_tried();
  }

  #exploreWithinBudget(seat: number, number: number, { milliseconds, iterations }: Budget): void {
    const limit = milliseconds ?? (iterations === undefined ? SEARCH_MILLISECONDS : Infinity);
    let left = iterations === undefined ? Infinity : Math.max(1, iterations);
    let now = performance.now();
    const end = now + limit;
    for (let chunk = FIRST_CHUNK; left > 0;) {
      const size = Math.min(chunk, left);
      this.exports.explore(seat, number, size);
      const before = now;
      now = performance.now();
      if (now + (now - before) > end) return;
      left -= size;
      if (now - before < CHUNK_MILLISECONDS / 2) chunk *= 2;
    }
  }

  #netSearch(seat: number, chance: Chance, { milliseconds, iterations }: Budget): number {
    let now = performance.now();
    const end = now + (milliseconds ?? (iterations === undefined ? NET_MILLISECONDS : Infinity));
    this.with(chance, () => this.exports.net_root());
    for (let left = iterations ?? UNLIMITED; ;) {
      const done = this.exports.net_explore(seat, left);
      const before = now;
      now = performance.now();
      if (!done || now + (now - before) > end) return this.exports.net_best();
      left -= done;
    }
  }

  /** Throw unless the bot exists, plays with this many players and has its data loaded. */
  #requireData(bot: string, players: number): void {
    const { about } = this;
    if (!(bot in about.bots)) throw new Error(`${about.game} has no bot ${bot}`);
    if (!this.dataOf(bot, players).length)
      throw new Error(`the bot ${bot} does not play ${about.game} with ${players} players`);
    if (this.wants(bot, players)) throw new Error(`the bot ${bot} has not been given its data`);
  }
}

function effectiveBudget(level: Level, { milliseconds, iterations }: Budget): Budget {
  if (iterations !== undefined) return { iterations: Math.min(iterations, level.iterations ?? iterations) };
  const limits = [milliseconds, level.milliseconds ?? undefined].filter((limit) => limit !== undefined);
  return {
    milliseconds: limits.length ? Math.min(...limits) : undefined,
    iterations: level.iterations ?? undefined,
  };
}

const TYPE_SIZES = {
  int8: 1,
  uint8: 1,
  int16: 2,
  int32: 4,
  int64: 8,
  uint64: 8,
  float32: 4,
  float64: 8,
  record: NaN,
};

/** Decompress a gzip file; some servers have already decompressed it. */
async function gunzip(file: ArrayBuffer): Promise<Uint8Array> {
  const [first, second] = new Uint8Array(file, 0, 2);
  if (first !== 0x1f || second !== 0x8b) return new Uint8Array(file);
  const stream = new Blob([file]).stream().pipeThrough(new DecompressionStream('gzip'));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}
