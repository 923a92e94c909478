/** The judge of a game, compiled in its module: it gets what a seat knows, never the game, and says what the server's
 *  judge says, to the last digit. */
import type { Bots, State } from '../rules';

export const POINTS = 100;
// The most worlds that a module has room for.
const MOST_WORLDS = 4096;
// Above and below these points a game is decided, and the margin speaks instead.
const WON = 99.5;
const LOST = 0.5;
// Where a race stands: see `racing.py`.
const [NUMBER, SPENT, MINE] = [0, 2, 4] as const;

export interface Option {
  move: number;
  /** In points, and the standard error of being behind. */
  chance: number;
  error: number;
}

/** The moves that were looked at, the best first, and where the one that was played stands among them. */
export interface Weighed {
  options: Option[];
  played: number;
  /** Where all is decided: what each promises for the lowest symbol. */
  margins: number[] | null;
}

/** The chance after a draw, the average over all that could have come, and the standard error of the difference. */
export interface Drawn {
  chance: number;
  average: number;
  error: number;
}

/** What the compiled judges by worlds offer, under `net_` or `playouts_`. */
interface Worlds {
  moves(played: number): void;
  race(seat: number, iterations: number, seed: bigint): number;
  sample(seat: number, worlds: number, seed: bigint): void;
  margin(seat: number, move: number): number;
}

export class Judge {
  readonly name: 'net' | 'playouts' | 'approximation';

  constructor(
    readonly rules: Bots,
    players: number,
  ) {
    const known = rules.about.judges[players];
    if (!known) throw new Error(`nobody judges ${rules.about.game} with ${players} players`);
    this.name = known.by;
  }

  /** Does it know every chance, so that longer thinking finds nothing more? */
  get exact(): boolean {
    return this.name === 'approximation';
  }

  /** The moves of the player in turn, who sees this view; an iteration is one move in one world. */
  weigh(view: State, seat: number, played: number, iterations: number, seed: number): Weighed {
    this.begin(view, played);
    while (this.goOn(view, seat, iterations, seed));
    return this.found(view, seat, played);
  }

  /** Begin to weigh moves, the played one among them. */
  begin(view: State, played: number): void {
    this.rules.memory.put(view);
    if (this.exact) this.rules.exports.approximation_weigh!(played);
    else this.#call('moves')(played);
  }

  /** Try the moves in more worlds; false when nothing is open any more, or the iterations are spent. */
  goOn(view: State, seat: number, iterations: number, seed: number): boolean {
    if (this.exact) return false;
    this.rules.memory.put(view);
    return this.#call('race')(seat, iterations, BigInt(seed)) > 0;
  }

  /** How many iterations the moves have had so far. */
  get spent(): number {
    return this.exact ? 0 : this.#going[SPENT]!;
  }

  /** What is known of the moves so far. */
  found(view: State, seat: number, played: number): Weighed {
    const { memory, exports } = this.rules;
    if (!this.exact) exports.race_rank();
    const order = memory.array('ranked', 'int32');
    const [moves, chances, errors] = [
      memory.array('raced', 'int16'),
      memory.array('chances', 'float64'),
      memory.array('errors', 'float64'),
    ];
    const places = Array.from({ length: this.#going[NUMBER]! }, (_, at) => (this.exact ? at : order[at]!));
    const where = places.indexOf(this.#going[MINE]!);
    const options = places.map((place, at) => ({
      move: at === where ? played : moves[place]!,
      chance: chances[place]!,
      error: at === 0 ? 0 : errors[place]!,
    }));
    const { chance: best } = options[0]!;
    const { chance: mine } = options[where]!;
    const decided = Math.min(best, mine) > WON || Math.max(best, mine) < LOST;
    return { options, played: where, margins: decided ? this.#margins(view, seat, options) : null };
  }

  #margins(view: State, seat: number, options: Option[]): number[] {
    const { memory } = this.rules;
    if (this.exact) return [...memory.array('margins', 'float64').subarray(0, options.length)];
    return options.map(({ move }) => {
      memory.put(view);
      return this.#call('margin')(seat, move);
    });
  }

  /** What the player who drew or rolled saw before and after. */
  draw(before: State, after: State, seat: number, iterations: number, seed: number): Drawn {
    if (this.exact) {
      const mover = this.rules.number(before, 'turn');
      return { chance: this.#chance(after, mover), average: this.#chance(before, mover), error: 0 };
    }
    const worlds = Math.min(Math.max(Math.floor(iterations / 2), 2), MOST_WORLDS);
    const { exports } = this.rules;
    this.#sample(before, seat, worlds, seed);
    exports.sample_keep(worlds, 1);
    this.#sample(after, seat, worlds, seed);
    const [chance, average] = [exports.sample_mean(worlds, 0), exports.sample_mean(worlds, 1)];
    return {
      chance: POINTS * chance,
      average: POINTS * average,
      error: POINTS * exports.sample_error(worlds, 0, 1),
    };
  }

  /** Everybody's chance, each from the own view. */
  chances(views: State[], iterations: number, seed: number): number[] {
    if (this.exact) {
      const first = this.#chance(views[0]!, 0);
      return [first, POINTS - first];
    }
    return shared(views.map((view, seat) => this.chanceOf(view, seat, iterations / views.length, seed)));
  }

  /** The chance of a seat from its own view. */
  chanceOf(view: State, seat: number, iterations: number, seed: number): number {
    if (this.exact) return this.#chance(view, seat);
    const worlds = Math.min(Math.max(Math.floor(iterations), 2), MOST_WORLDS);
    this.#sample(view, seat, worlds, seed);
    return POINTS * this.rules.exports.sample_mean(worlds, 0);
  }

  #chance(view: State, player: number): number {
    this.rules.memory.put(view);
    return this.rules.exports.approximation_chance!(player);
  }

  #sample(view: State, seat: number, worlds: number, seed: number): void {
    if (this.rules.over(view)) {
      this.rules.exports.sample_fill(worlds, byPlace(this.rules.values(view))[seat]!);
      return;
    }
    this.rules.memory.put(view);
    this.#call('sample')(seat, worlds, BigInt(seed));
  }

  get #going(): Int32Array {
    return this.rules.memory.array('going', 'int32');
  }

  #call<What extends keyof Worlds>(what: What): Worlds[What] {
    const exports = this.rules.exports as unknown as Record<string, Worlds[What]>;
    return exports[`${this.name}_${what}`]!;
  }
}

/** A sum one by one, in the order of the server's. */
export const added = (numbers: number[]): number => numbers.reduce((sum, number) => sum + number, 0);

/** Chances that were judged from different views, corrected alike so that they add up: every pair has one point. */
export function shared(chances: number[]): number[] {
  const off = POINTS / 2 - added(chances) / chances.length;
  return chances.map((chance) => Math.min(Math.max(chance + off, 0), POINTS));
}

/** The share of the others that each player is ahead of in the end; a tie counts half. */
export function byPlace(values: number[][]): number[] {
  const rows = values.map((row) => row.toSorted((one, other) => one - other));
  return rows.map((mine, player) => {
    const others = rows.filter((_, other) => other !== player);
    return added(others.map((theirs) => 0.5 + 0.5 * ahead(mine, theirs))) / others.length;
  });
}

function ahead(mine: number[], theirs: number[]): number {
  const at = mine.findIndex((value, index) => value !== theirs[index]);
  return at < 0 ? 0 : Math.sign(mine[at]! - theirs[at]!);
}
