/** Where reviewing is done, in a worker or not: it opens records, judges their events, and weighs moves. */
import { fetchData, open, type Bots, type GameName, type State } from '../rules';
import { Evaluator, normalizeChances } from './judging';
import { headOf, replayRecord, type ReplayedRecord } from './record';
import {
  headerOf,
  candidatesOf,
  evaluateDecision,
  evaluateEvent,
  ITERATIONS,
  seedOf,
  type ReviewHeader,
  type EvaluatedEvent,
} from './reviewing';
import type { Candidate, Decision } from './types';

/** Where modules and their data come from. */
export interface ModuleSource {
  rules(game: string): Promise<Bots>;
  loadData(rules: Bots, data: string): Promise<void>;
}

export const fetchSource = (folder: string): ModuleSource => ({
  rules: (game) => open(game as GameName, folder) as Promise<Bots>,
  loadData: (rules, data) => fetchData(rules, data, folder),
});

export interface AnalysisUpdate {
  candidates: Candidate[];
  iterations: number;
  /** Longer thinking would find nothing more. */
  exact: boolean;
}

/** A module or its data could not be loaded. */
export class DataMissing extends Error {}

const orDataMissing = async <Loaded>(loading: Promise<Loaded>): Promise<Loaded> =>
  loading.catch((error: unknown) => {
    throw new DataMissing(error instanceof Error ? error.message : String(error));
  });

// Whoever looks at one position wants the same answer as another.
const SEED = 1;
// Hidden hands are dealt so often to guess the others' chances.
const DETERMINIZATIONS = 16;

export class AnalysisService {
  #source: ModuleSource;
  #rules = new Map<string, Promise<Bots>>();
  #openRecords = new Map<number, { game: ReplayedRecord; by: Evaluator }>();

  constructor(source: ModuleSource) {
    this.#source = source;
  }

  #loadRules(game: string): Promise<Bots> {
    const existing = this.#rules.get(game);
    if (existing) return existing;
    const loading = orDataMissing(this.#source.rules(game));
    this.#rules.set(game, loading);
    loading.catch(() => this.#rules.delete(game)); // the next one asks again
    return loading;
  }

  async #loadEvaluator(game: string, players: number): Promise<Evaluator> {
    const rules = await this.#loadRules(game);
    const data = rules.about.judges[players]?.data;
    if (data != null && rules.wants(data)) await orDataMissing(this.#source.loadData(rules, data));
    return new Evaluator(rules, players);
  }

  /** Read a record, to judge its events by a number of its own. */
  async open(key: number, record: unknown): Promise<ReviewHeader> {
    const head = headOf(record);
    const game = replayRecord(await this.#loadRules(head.game), head);
    const evaluator = await this.#loadEvaluator(head.game, head.players);
    this.#openRecords.set(key, { game, by: evaluator });
    return headerOf(evaluator, game);
  }

  /** An event of an open record; 0 is what was before the first. */
  judge(key: number, number: number, iterations: number, seed: number): EvaluatedEvent {
    const { game, by: evaluator } = this.#openRecords.get(key)!;
    return evaluateEvent(evaluator, game, number, iterations, seed);
  }

  close(key: number): void {
    this.#openRecords.delete(key);
  }

  /** Weigh the moves of a seat that has to decide, and tell after every round until nothing is open. */
  async evaluateMoves(
    game: string,
    view: State,
    seat: number,
    maxIterations: number,
    onUpdate: (update: AnalysisUpdate) => void,
    stopped: () => boolean,
  ): Promise<void> {
    const rules = await this.#loadRules(game);
    if (rules.turn(view) !== seat) throw new Error(`player ${seat} has nothing to decide here`);
    const evaluator = await this.#loadEvaluator(game, rules.number(view, 'players'));
    // Which move looks best: the others are compared with that.
    evaluator.startEvaluation(view, rules.legal(view)[0]!);
    const first = rules.memory.array('raced', 'int16')[0]!;
    evaluator.startEvaluation(view, first);
    const report = (): void => {
      const candidates = candidatesOf(rules, evaluator.evaluations(view, seat, first));
      onUpdate({ candidates, iterations: evaluator.iterationsUsed, exact: evaluator.exact });
    };
    if (evaluator.exact) report();
    while (!stopped() && evaluator.continueEvaluation(view, seat, maxIterations, SEED)) {
      report();
      await new Promise((resolve) => setTimeout(resolve));
    }
  }

  /** A move that is tried at an event, judged as if it had been the move of the game. */
  async evaluateMove(
    game: string,
    view: State,
    seat: number,
    number: number,
    move: string,
  ): Promise<Decision> {
    const rules = await this.#loadRules(game);
    const evaluator = await this.#loadEvaluator(game, rules.number(view, 'players'));
    const choices = rules.legal(view).length;
    const task = { number, player: seat, move: rules.spelling.number(move), choices, before: view };
    return evaluateDecision(evaluator, task, ITERATIONS, seedOf(SEED, number), 0);
  }

  /** Everybody's chance as a seat sees it, or a spectator: what is hidden is dealt anew for the others' views. */
  async chances(game: string, view: State, seat: number | null, iterations = ITERATIONS): Promise<number[]> {
    const rules = await this.#loadRules(game);
    const players = rules.number(view, 'players');
    const evaluator = await this.#loadEvaluator(game, players);
    const everybody = Array.from({ length: players }, (_, player) => player);
    if (evaluator.exact) return everybody.map((player) => evaluator.chanceOf(view, player, 0, SEED));
    const sums = everybody.map(() => 0);
    for (let number = 0; number < DETERMINIZATIONS; number++) {
      const guess = rules.guess(view, seat, rules.chance(SEED, number));
      for (const player of everybody) {
        const share = iterations / players / DETERMINIZATIONS;
        sums[player]! += evaluator.chanceOf(rules.hide(guess, player), player, share, SEED + number);
      }
    }
    return normalizeChances(sums.map((sum) => sum / DETERMINIZATIONS));
  }
}
