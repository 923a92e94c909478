/** The review of a record: every step judged, and each player's sums, as `src/sixfold/review/report.py` does it. */
import constants from '../../../../src/sixfold/review/constants.json';
import type { Bots } from '../../rules';
import { sum, Evaluator, POINTS, type MoveEvaluations } from './evaluator';
import { headOf, replayRecord, type Task, type ReplayedRecord } from './record';
import type { Account, Candidate, Decision, Draw, MarkName, Progress, Review, Step } from './types';

const { draw_share: DRAW_SHARE, curve_share: CURVE_SHARE } = constants;
/** The budget of a decision: one move in one determinization is one iteration. */
export const ITERATIONS = constants.iterations;
const MARKS = Object.entries(constants.marks) as [MarkName, number][];
const { slip_margin: MARGIN_SLIP, game_end_margin: GAME_ENDING_MARGIN } = constants;

/** An evaluated event and all players' chances after it; the opening has no step. */
export interface EvaluatedEvent {
  step: Step | null;
  chances: number[];
}

/** Evaluate an event by its number; 0 is the opening. Deterministic for a record, iterations and seed. */
export function evaluateEvent(
  evaluator: Evaluator,
  { tasks, opening, result }: ReplayedRecord,
  number: number,
  iterations: number,
  seed: number,
): EvaluatedEvent {
  const eventSeed = seedOf(seed, number);
  if (number === 0) return { step: null, chances: evaluator.chances(opening, iterations, eventSeed) };
  const task = tasks[number - 1]!;
  const finalChances = number === tasks.length ? result : null;
  const chances =
    finalChances ?? evaluator.chances(task.after, Math.trunc(iterations * CURVE_SHARE), eventSeed);
  if (task.move !== null)
    return { step: evaluateDecision(evaluator, task, iterations, eventSeed, chances[task.player]!), chances };
  const after = task.after[task.player]!;
  const draw = evaluator.evaluateDraw(
    task.before,
    after,
    task.player,
    Math.trunc(iterations * DRAW_SHARE),
    eventSeed,
  );
  const step: Draw = {
    kind: 'draw',
    number,
    player: task.player,
    event: task.event,
    chance: draw.chance,
    average: draw.average,
    luck: draw.chance - draw.average,
    error: draw.error,
  };
  return { step, chances };
}

/** Each event has its own seed. */
export const seedOf = (seed: number, number: number): number =>
  Number((BigInt(seed) * 1_000_003n + BigInt(number)) & 0x7fffffffn);

const markOf = (cost: number): MarkName | null => MARKS.findLast(([, least]) => cost >= least)?.[0] ?? null;

/** How far the played move is behind the best one; 0 if the difference is within its error. */
function costOfPlayed({ options, played }: MoveEvaluations): number {
  const { chance, error } = options[played]!;
  const behind = options[0]!.chance - chance;
  return error === 0 || behind >= Math.max(constants.min_difference, constants.confidence * error)
    ? behind
    : 0;
}

export const candidatesOf = (rules: Bots, { options }: MoveEvaluations): Candidate[] =>
  options.map(({ move, chance, error }) => ({ move: rules.notation.text(move)!, chance, error }));

/** Which move promises the largest margin, of those after which the game goes on; the played one if it ended. */
function widestMargin(margins: number[], played: number): number {
  if (margins[played]! >= GAME_ENDING_MARGIN) return played;
  const ongoing = margins.map((margin) => (margin < GAME_ENDING_MARGIN ? margin : -GAME_ENDING_MARGIN));
  return ongoing.indexOf(Math.max(...ongoing));
}

/** Evaluate a decision. A forced one costs nothing and is not searched. */
export function evaluateDecision(
  evaluator: Evaluator,
  task: Omit<Task, 'event' | 'after'>,
  iterations: number,
  seed: number,
  chance: number,
): Decision {
  const { number, player } = task;
  const move = evaluator.rules.notation.text(task.move!)!;
  const base = { kind: 'decision', number, player, move } as const;
  if (task.choices === 1)
    return {
      ...base,
      best: move,
      forced: true,
      chance,
      best_chance: chance,
      cost: 0,
      error: 0,
      mark: null,
      margin: null,
      candidates: [],
    };
  const evaluations = evaluator.evaluateMoves(task.before, player, task.move!, iterations, seed);
  const { options, played, margins } = evaluations;
  const cost = costOfPlayed(evaluations);
  const candidates = candidatesOf(evaluator.rules, evaluations);
  let mark = markOf(cost);
  let best = cost > 0 ? candidates[0]!.move : move;
  let margin: number | null = null;
  if (margins) {
    const at = widestMargin(margins, played);
    margin = margins[at]! - margins[played]!;
    mark = margin >= MARGIN_SLIP ? 'slip' : null;
    best = mark ? candidates[at]!.move : move;
  }
  return {
    ...base,
    best,
    forced: false,
    chance: options[played]!.chance,
    best_chance: options[0]!.chance,
    cost,
    error: options[played]!.error,
    mark,
    margin,
    candidates,
  };
}

/** What is known of a record before any event is evaluated. */
export type ReviewHeader = Pick<Review, 'game' | 'players' | 'options' | 'names' | 'judged_by'> & {
  total: number;
  result: number[] | null;
};

export const headerOf = (evaluator: Evaluator, { record, tasks, result }: ReplayedRecord): ReviewHeader => ({
  game: record.game,
  players: record.players,
  options: Object.fromEntries(
    Object.keys(evaluator.rules.about.options).map((name) => [name, record.options[name]]),
  ),
  names: record.names ?? null,
  judged_by: evaluator.name,
  total: tasks.length,
  result,
});

/** Assemble the review from the evaluated events, the opening first. */
export function assembleReview(
  head: ReviewHeader,
  evaluated: EvaluatedEvent[],
  iterations: number,
  seed: number,
): Review {
  const { total, result, ...rest } = head;
  const [openingEvent, ...events] = evaluated;
  const openingChances = openingEvent!.chances;
  const steps = events.map(({ step }) => step!);
  return {
    ...rest,
    iterations,
    seed,
    begin: openingChances,
    curve: events.map(({ chances }) => chances),
    steps,
    accounts: openingChances.map((_, player) => accountOf(player, steps, openingChances, result)),
  };
}

/** A player's totals. What an opponent gains or loses is split evenly among that opponent's opponents. */
function accountOf(player: number, steps: Step[], opening: number[], result: number[] | null): Account {
  const others = opening.length - 1;
  const decisions = steps.filter((step) => step.kind === 'decision');
  const draws = steps.filter((step) => step.kind === 'draw');
  const ownDecisions = decisions.filter((step) => step.player === player);
  const freeDecisions = ownDecisions.filter(({ forced }) => !forced);
  const cost = (decisionSubset: Decision[]): number => sum(decisionSubset.map((step) => step.cost));
  const lost = cost(ownDecisions);
  const others_lost = cost(decisions.filter((step) => step.player !== player)) / others;
  const luck = sum(draws.map((step) => (step.player === player ? step.luck : -step.luck / others)));
  const weighted = draws.map((step) => (step.player === player ? 1 : 1 / others) * step.error);
  const finalChance = result?.[player] ?? null;
  const startChance = opening[player]!;
  return {
    player,
    begin: startChance,
    result: finalChance,
    luck,
    luck_error: Math.sqrt(sum(weighted.map((error) => error * error))),
    lost,
    others_lost,
    gap: finalChance === null ? null : finalChance - startChance - luck + lost - others_lost,
    even: Math.min(Math.max(startChance - lost + others_lost, 0), POINTS),
    decisions: freeDecisions.length,
    mean_cost: freeDecisions.length ? lost / freeDecisions.length : 0,
    marks: Object.fromEntries(
      MARKS.map(([name]) => [name, ownDecisions.filter(({ mark }) => mark === name).length]),
    ) as Account['marks'],
  };
}

/** Review a record synchronously; the rules must already have the evaluator's data. */
export function review(
  rules: Bots,
  record: unknown,
  iterations = ITERATIONS,
  seed = 1,
  onProgress: (progress: Progress) => void = () => {},
): Review {
  const game = replayRecord(rules, headOf(record));
  const evaluator = new Evaluator(rules, game.record.players);
  const head = headerOf(evaluator, game);
  const evaluated = Array.from({ length: head.total + 1 }, (_, number) => {
    const event = evaluateEvent(evaluator, game, number, iterations, seed);
    if (event.step) onProgress({ done: number, total: head.total, step: event.step, chances: event.chances });
    return event;
  });
  return assembleReview(head, evaluated, iterations, seed);
}
