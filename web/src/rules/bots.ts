/** The bots of one game: they get what a seat knows, never the game, and choose as those on the server do. */
import type { Level } from './description';
import type { State } from './memory';
import { Rules, type Chance, type GameName } from './rules';

/** How long a bot may think: milliseconds, or iterations where the answer must be repeatable. */
export interface Budget {
  milliseconds?: number | undefined;
  iterations?: number | undefined;
}

// Slips are counted in hundredths.
const OF_ALL = 100;
const AT_SIGHT = 0;
const FORESIGHT = 1;
// Without any budget a search thinks this long; it looks at the clock about every five milliseconds.
const MILLISECONDS = 700;
const FIRST_CHUNK = 32;
const CHUNK_MILLISECONDS = 5;

export class Bots<Game extends GameName = GameName> extends Rules<Game> {
  #ready = new Set<string>();

  /** Does a bot need data that is not there yet? */
  wants(bot: string): boolean {
    return bot in this.about.data && !this.#ready.has(bot);
  }

  /** Give a bot its data: the content of the file `<game>.<bot>.data`. */
  async give(bot: string, file: ArrayBuffer): Promise<void> {
    const names = this.about.data[bot];
    if (!names) throw new Error(`${bot} needs no data in ${this.about.game}`);
    const bytes = await unzipped(file);
    const sizes = names.map((name) => {
      const { type, shape } = this.about.buffers[name]!;
      return shape.reduce((product, length) => product * length, SIZES[type]);
    });
    if (bytes.length !== sizes.reduce((sum, size) => sum + size, 0))
      throw new Error(`the data of ${bot} does not fit this module`);
    let from = 0;
    names.forEach((name, at) => {
      this.memory.at(name, sizes[at]!).set(bytes.subarray(from, from + sizes[at]!));
      from += sizes[at]!;
    });
    this.#ready.add(bot);
  }

  /** What makes a level, counted from 1, with some number of players. */
  level(players: number, number: number): Level {
    const level = this.about.levels[players]?.[number - 1];
    if (!level) throw new Error(`${this.about.game} has no level ${number} for ${players} players`);
    return level;
  }

  /** A level's move. Its own budget holds, unless fewer milliseconds or a number of iterations are asked for. */
  chooseAt(number: number, view: State, seat: number, chance: Chance, budget: Budget = {}): number {
    const level = this.level(this.number(view, 'players'), number);
    if (level.slips && this.below(chance, OF_ALL) < level.slips) return this.#slip(view, chance);
    return this.choose(level.bot, view, seat, chance, ownBudget(level, budget));
  }

  /** A bot's move: the same view, iterations and chance give the same. */
  choose(bot: string, view: State, seat: number, chance: Chance, budget: Budget = {}): number {
    if (bot === 'random') {
      const moves = this.legal(view);
      return moves[this.below(chance, moves.length)]!;
    }
    if (bot === 'greedy')
      return this.#judged(view, AT_SIGHT, chance, (number) => this.exports.any_best(number));
    if (bot === 'careful')
      return this.#judged(view, FORESIGHT, chance, (number) => this.exports.best(number));
    if (bot === 'search') return this.#search(view, seat, chance, budget);
    return this.#own(bot, view);
  }

  #judged(view: State, how: number, chance: Chance, take: (number: number) => number): number {
    this.memory.put(view);
    const number = this.exports.judge(how);
    return this.memory.array('moves', 'int16')[this.with(chance, () => take(number))]!;
  }

  /** Any of the better half of the moves, each as likely. */
  #slip(view: State, chance: Chance): number {
    return this.#judged(view, AT_SIGHT, chance, (number) => this.exports.any_better(number));
  }

  #search(view: State, seat: number, chance: Chance, budget: Budget): number {
    this.memory.put(view);
    const number = this.exports.judge(FORESIGHT);
    this.with(chance, () => this.exports.root(number));
    if (number === 1) return this.memory.array('moves', 'int16')[0]!;
    this.#exploreWithin(seat, number, budget);
    return this.exports.most_tried();
  }

  #exploreWithin(seat: number, number: number, { milliseconds, iterations }: Budget): void {
    const limit = milliseconds ?? (iterations === undefined ? MILLISECONDS : Infinity);
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

  /** A bot that knows only this game. */
  #own(bot: string, view: State): number {
    const choose = (this.exports as unknown as Record<string, (() => number) | undefined>)[bot];
    if (!choose) throw new Error(`${this.about.game} has no bot ${bot}`);
    if (this.wants(bot)) throw new Error(`the bot ${bot} has not been given its data`);
    this.memory.put(view);
    return choose();
  }
}

function ownBudget(level: Level, { milliseconds, iterations }: Budget): Budget {
  if (iterations !== undefined) return { iterations: Math.min(iterations, level.iterations ?? iterations) };
  const limits = [milliseconds, level.milliseconds ?? undefined].filter((limit) => limit !== undefined);
  return {
    milliseconds: limits.length ? Math.min(...limits) : undefined,
    iterations: level.iterations ?? undefined,
  };
}

const SIZES = {
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

/** A file as it was before it was compressed; some servers have undone that already. */
async function unzipped(file: ArrayBuffer): Promise<Uint8Array> {
  const [first, second] = new Uint8Array(file, 0, 2);
  if (first !== 0x1f || second !== 0x8b) return new Uint8Array(file);
  const stream = new Blob([file]).stream().pipeThrough(new DecompressionStream('gzip'));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}
