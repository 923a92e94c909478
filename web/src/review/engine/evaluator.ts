/** The evaluator compiled into a game's module. It sees only a seat's view and returns the same numbers as the server's
 *  evaluator, to the last digit. */
import constants from '../../../../src/sixfold/review/constants.json';
import type { Bots, State } from '../../rules';

export const POINTS = constants.points;
// The largest number of determinizations that a module's buffers hold.
const MAX_DETERMINIZATIONS = 4096;
// Where a race stands: see `racing.py`.
const [CANDIDATES, ITERATIONS_USED, PLAYED] = [0, 2, 4] as const;

export interface MoveEvaluation {
  move: number;
  /** In points, and the standard error of being behind. */
  chance: number;
  error: number;
}

/** The evaluated moves, best first, and the index of the played one. */
export interface MoveEvaluations {
  options: MoveEvaluation[];
  played: number;
  /** In a decided game: the margin that each move promises for the lowest symbol. */
  margins: number[] | null;
}

/** The chance after a draw, the average over all that could have come, and the standard error of the difference. */
export interface DrawEvaluation {
  chance: number;
  average: number;
  error: number;
}

/** The exports of the sampling evaluators, prefixed with `net_` or `playouts_`. */
interface SamplingExports {
  moves(played: number): void;
  race(seat: number, iterations: number, seed: bigint): number;
  sample(seat: number, worlds: number, seed: bigint): void;
  margin(seat: number, move: number): number;
}

export class Evaluator {
  readonly name: 'net' | 'playouts' | 'approximation';

  constructor(
    readonly rules: Bots,
    players: number,
  ) {
    const entry = rules.about.judges[players];
    if (!entry) throw new Error(`nobody judges ${rules.about.game} with ${players} players`);
    this.name = entry.by;
  }

  /** Are its chances exact, so that more iterations change nothing? */
  get exact(): boolean {
    return this.name === 'approximation';
  }

  /** Evaluate the moves of the active player, who has this view; an iteration is one move in one determinization. */
  evaluateMoves(
    view: State,
    seat: number,
    played: number,
    iterations: number,
    seed: number,
  ): MoveEvaluations {
    this.startEvaluation(view, played);
    while (this.continueEvaluation(view, seat, iterations, seed));
    return this.evaluations(view, seat, played);
  }

  /** Start evaluating the moves, including the played one. */
  startEvaluation(view: State, played: number): void {
    this.rules.memory.put(view);
    if (this.exact) this.rules.exports.approximation_weigh!(played);
    else this.#export('moves')(played);
  }

  /** Evaluate the moves in more determinizations; false once the ranking is settled or the iterations are used up. */
  continueEvaluation(view: State, seat: number, iterations: number, seed: number): boolean {
    if (this.exact) return false;
    this.rules.memory.put(view);
    return this.#export('race')(seat, iterations, BigInt(seed)) > 0;
  }

  /** The number of iterations used so far. */
  get iterationsUsed(): number {
    return this.exact ? 0 : this.#raceState[ITERATIONS_USED]!;
  }

  /** The current evaluations, best first. */
  evaluations(view: State, seat: number, played: number): MoveEvaluations {
    const { memory, exports } = this.rules;
    if (!this.exact) exports.race_rank();
    const ranking = memory.array('ranked', 'int32');
    const [moves, chances, errors] = [
      memory.array('raced', 'int16'),
      memory.array('chances', 'float64'),
      memory.array('errors', 'float64'),
    ];
    const places = Array.from({ length: this.#raceState[CANDIDATES]! }, (_, at) =>
      this.exact ? at : ranking[at]!,
    );
    const playedPlace = places.indexOf(this.#raceState[PLAYED]!);
    const options = places.map((place, at) => ({
      move: at === playedPlace ? played : moves[place]!,
      chance: chances[place]!,
      error: at === 0 ? 0 : errors[place]!,
    }));
    const { chance: best } = options[0]!;
    const { chance: playedChance } = options[playedPlace]!;
    const isDecided =
      Math.min(best, playedChance) > constants.won || Math.max(best, playedChance) < constants.lost;
    return { options, played: playedPlace, margins: isDecided ? this.#margins(view, seat, options) : null };
  }

  #margins(view: State, seat: number, options: MoveEvaluation[]): number[] {
    const { memory } = this.rules;
    if (this.exact) return [...memory.array('margins', 'float64').subarray(0, options.length)];
    return options.map(({ move }) => {
      memory.put(view);
      return this.#export('margin')(seat, move);
    });
  }

  /** Evaluate a draw or roll from its player's views before and after it. */
  evaluateDraw(before: State, after: State, seat: number, iterations: number, seed: number): DrawEvaluation {
    if (this.exact) {
      const activePlayer = this.rules.number(before, 'turn');
      return {
        chance: this.#chance(after, activePlayer),
        average: this.#chance(before, activePlayer),
        error: 0,
      };
    }
    const samples = Math.min(Math.max(Math.floor(iterations / 2), 2), MAX_DETERMINIZATIONS);
    const { exports } = this.rules;
    this.#sample(before, seat, samples, seed);
    exports.sample_keep(samples, 1);
    this.#sample(after, seat, samples, seed);
    const [chance, average] = [exports.sample_mean(samples, 0), exports.sample_mean(samples, 1)];
    return {
      chance: POINTS * chance,
      average: POINTS * average,
      error: POINTS * exports.sample_error(samples, 0, 1),
    };
  }

  /** All players' chances, each from the player's own view. */
  chances(views: State[], iterations: number, seed: number): number[] {
    if (this.exact) {
      const first = this.#chance(views[0]!, 0);
      return [first, POINTS - first];
    }
    return normalizeChances(
      views.map((view, seat) => this.chanceOf(view, seat, iterations / views.length, seed)),
    );
  }

  /** The chance of a seat from its own view. */
  chanceOf(view: State, seat: number, iterations: number, seed: number): number {
    if (this.exact) return this.#chance(view, seat);
    const samples = Math.min(Math.max(Math.floor(iterations), 2), MAX_DETERMINIZATIONS);
    this.#sample(view, seat, samples, seed);
    return POINTS * this.rules.exports.sample_mean(samples, 0);
  }

  #chance(view: State, player: number): number {
    this.rules.memory.put(view);
    return this.rules.exports.approximation_chance!(player);
  }

  #sample(view: State, seat: number, samples: number, seed: number): void {
    if (this.rules.over(view)) {
      this.rules.exports.sample_fill(samples, shareBeaten(this.rules.places(view))[seat]!);
      return;
    }
    this.rules.memory.put(view);
    this.#export('sample')(seat, samples, BigInt(seed));
  }

  get #raceState(): Int32Array {
    return this.rules.memory.array('going', 'int32');
  }

  #export<Name extends keyof SamplingExports>(name: Name): SamplingExports[Name] {
    const exports = this.rules.exports as unknown as Record<string, SamplingExports[Name]>;
    return exports[`${this.name}_${name}`]!;
  }
}

/** Sums left to right, like the server, so that rounding is identical. */
export const sum = (numbers: number[]): number => numbers.reduce((sum, number) => sum + number, 0);

/** Chances from different views, shifted equally so that their mean is exactly one half. */
export function normalizeChances(chances: number[]): number[] {
  const correction = POINTS / 2 - sum(chances) / chances.length;
  return chances.map((chance) => Math.min(Math.max(chance + correction, 0), POINTS));
}

/** From the places, the share of opponents that each player finishes ahead of, a tie counting half; a single player gets
 *  one half. */
export function shareBeaten(places: number[]): number[] {
  const opponents = Math.max(places.length - 1, 1);
  return places.map((own) => {
    const lead = sum(places.map((other) => Math.sign(other - own)));
    return (0.5 * (opponents + lead)) / opponents;
  });
}
