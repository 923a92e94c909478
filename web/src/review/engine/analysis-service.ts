/** Opens records, evaluates their events and ranks moves, inside a worker or directly. */
import { fetchData, open, type Bots, type GameName, type State } from '../../rules';
import { Evaluator, normalizeChances } from './evaluator';
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
} from './report';
import type { Candidate, Decision } from './types';

/** Where modules and their data are loaded from. */
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
  /** The evaluations are exact; more iterations change nothing. */
  exact: boolean;
}

/** A module or its data could not be loaded. */
export class DataMissing extends Error {}

const orDataMissing = async <Loaded>(loading: Promise<Loaded>): Promise<Loaded> =>
  loading.catch((error: unknown) => {
    throw new DataMissing(error instanceof Error ? error.message : String(error));
  });

// A fixed seed, so that the same position always gets the same answer.
const SEED = 1;
// How many determinizations the other players' chances are averaged over.
const DETERMINIZATIONS = 16;

export class AnalysisService {
  #source: ModuleSource;
  #rules = new Map<string, Promise<Bots>>();
  #openRecords = new Map<number, { game: ReplayedRecord; evaluator: Evaluator }>();

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

  /** Validate a record and keep it open under a key, so that its events can be evaluated. */
  async open(key: number, record: unknown): Promise<ReviewHeader> {
    const head = headOf(record);
    const game = replayRecord(await this.#loadRules(head.game), head);
    const evaluator = await this.#loadEvaluator(head.game, head.players);
    this.#openRecords.set(key, { game, evaluator });
    return headerOf(evaluator, game);
  }

  /** Evaluate an event of an open record; 0 is the opening. */
  judge(key: number, number: number, iterations: number, seed: number): EvaluatedEvent {
    const { game, evaluator } = this.#openRecords.get(key)!;
    return evaluateEvent(evaluator, game, number, iterations, seed);
  }

  close(key: number): void {
    this.#openRecords.delete(key);
  }

  /** Evaluate the moves of the active seat, with an update after each round, until the ranking is settled. */
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
    // The most promising move serves as the reference for the others.
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

  /** Evaluate an alternative move at an event as if it had been played. */
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
    const task = { number, player: seat, move: rules.notation.number(move), choices, before: view };
    return evaluateDecision(evaluator, task, ITERATIONS, seedOf(SEED, number), 0);
  }

  /** All players' chances from a seat's or a spectator's view, averaged over determinizations. */
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
