/** The review of a record: every step judged, and each player's sums, as `src/sixfold/review/reviewing.py` does it. */
import type { Bots } from '../rules';
import { added, Judge, POINTS, type Weighed } from './judging';
import { headOf, told, type Task, type Told } from './record';
import type { Account, Candidate, Decision, Draw, MarkName, Progress, Review, Step } from './types';

/** How long a decision is thought about: one move in one world is one iteration. */
export const ITERATIONS = 1600;
// Draws and the curve take these shares of it.
const DRAW_SHARE = 0.25;
const CURVE_SHARE = 0.08;
const MARKS: [MarkName, number][] = [
  ['slip', 3],
  ['mistake', 7],
  ['blunder', 15],
];
// Less than this is no difference, and what is not so many standard errors from 0 counts as none.
const NOTHING = 0.25;
const SURE = 2;
// Where all is decided, a slip from so many steps on.
const STEPS = 2;
// The margin of a move that ends a decided game: others are not measured by it.
const ENOUGH = 100;

/** Everybody's chance after an event, and the event judged; none before the first. */
export interface Judged {
  step: Step | null;
  chances: number[];
}

/** Judge an event by its number; 0 is the opening. The same record, iterations and seed give the same. */
export function judge(
  judge: Judge,
  { tasks, opening, result }: Told,
  number: number,
  iterations: number,
  seed: number,
): Judged {
  const own = seedOf(seed, number);
  if (number === 0) return { step: null, chances: judge.chances(opening, iterations, own) };
  const task = tasks[number - 1]!;
  const over = number === tasks.length ? result : null;
  const chances = over ?? judge.chances(task.after, Math.trunc(iterations * CURVE_SHARE), own);
  if (task.move !== null)
    return { step: decision(judge, task, iterations, own, chances[task.player]!), chances };
  const after = task.after[task.player]!;
  const drawn = judge.draw(task.before, after, task.player, Math.trunc(iterations * DRAW_SHARE), own);
  const step: Draw = {
    kind: 'draw',
    number,
    player: task.player,
    event: task.event,
    chance: drawn.chance,
    average: drawn.average,
    luck: drawn.chance - drawn.average,
    error: drawn.error,
  };
  return { step, chances };
}

/** Every event has luck of its own. */
export const seedOf = (seed: number, number: number): number =>
  Number((BigInt(seed) * 1_000_003n + BigInt(number)) & 0x7fffffffn);

const markOf = (cost: number): MarkName | null => MARKS.findLast(([, least]) => cost >= least)?.[0] ?? null;

/** What the played move is behind the best one; 0 where it is less than its error explains. */
function costOf({ options, played }: Weighed): number {
  const { chance, error } = options[played]!;
  const behind = options[0]!.chance - chance;
  return error === 0 || behind >= Math.max(NOTHING, SURE * error) ? behind : 0;
}

export const candidatesOf = (rules: Bots, { options }: Weighed): Candidate[] =>
  options.map(({ move, chance, error }) => ({ move: rules.spelling.text(move)!, chance, error }));

/** Which move promises the largest margin, of those after which the game goes on; the played one if it ended. */
function widest(margins: number[], played: number): number {
  if (margins[played]! >= ENOUGH) return played;
  const going = margins.map((margin) => (margin < ENOUGH ? margin : -ENOUGH));
  return going.indexOf(Math.max(...going));
}

/** What a decision cost. A forced one costs nothing, and needs no thinking. */
export function decision(
  by: Judge,
  task: Omit<Task, 'event' | 'after'>,
  iterations: number,
  seed: number,
  chance: number,
): Decision {
  const { number, player } = task;
  const move = by.rules.spelling.text(task.move!)!;
  const about = { kind: 'decision', number, player, move } as const;
  if (task.choices === 1)
    return {
      ...about,
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
  const weighed = by.weigh(task.before, player, task.move!, iterations, seed);
  const { options, played, margins } = weighed;
  const cost = costOf(weighed);
  const candidates = candidatesOf(by.rules, weighed);
  let mark = markOf(cost);
  let best = cost > 0 ? candidates[0]!.move : move;
  let margin: number | null = null;
  if (margins) {
    const at = widest(margins, played);
    margin = margins[at]! - margins[played]!;
    mark = margin >= STEPS ? 'slip' : null;
    best = mark ? candidates[at]!.move : move;
  }
  return {
    ...about,
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

/** What is known of a record before anything is judged. */
export type Head = Pick<Review, 'game' | 'players' | 'options' | 'names' | 'judged_by'> & {
  total: number;
  result: number[] | null;
};

export const about = (judge: Judge, { record, tasks, result }: Told): Head => ({
  game: record.game,
  players: record.players,
  options: Object.fromEntries(
    Object.keys(judge.rules.about.options).map((name) => [name, record.options[name]]),
  ),
  names: record.names ?? null,
  judged_by: judge.name,
  total: tasks.length,
  result,
});

/** The whole review, from what was judged event by event, the opening first. */
export function summedUp(head: Head, judged: Judged[], iterations: number, seed: number): Review {
  const { total, result, ...rest } = head;
  const [opening, ...events] = judged;
  const begin = opening!.chances;
  const steps = events.map(({ step }) => step!);
  return {
    ...rest,
    iterations,
    seed,
    begin,
    curve: events.map(({ chances }) => chances),
    steps,
    accounts: begin.map((_, player) => account(player, steps, begin, result)),
  };
}

/** A player's sums. What others gain and lose by luck and mistakes is shared by all whom they play against. */
function account(player: number, steps: Step[], begin: number[], result: number[] | null): Account {
  const others = begin.length - 1;
  const decisions = steps.filter((step) => step.kind === 'decision');
  const draws = steps.filter((step) => step.kind === 'draw');
  const own = decisions.filter((step) => step.player === player);
  const free = own.filter(({ forced }) => !forced);
  const cost = (some: Decision[]): number => added(some.map((step) => step.cost));
  const lost = cost(own);
  const others_lost = cost(decisions.filter((step) => step.player !== player)) / others;
  const luck = added(draws.map((step) => (step.player === player ? step.luck : -step.luck / others)));
  const weighted = draws.map((step) => (step.player === player ? 1 : 1 / others) * step.error);
  const at = result?.[player] ?? null;
  const from = begin[player]!;
  return {
    player,
    begin: from,
    result: at,
    luck,
    luck_error: Math.sqrt(added(weighted.map((error) => error * error))),
    lost,
    others_lost,
    gap: at === null ? null : at - from - luck + lost - others_lost,
    even: Math.min(Math.max(from - lost + others_lost, 0), POINTS),
    decisions: free.length,
    mean_cost: free.length ? lost / free.length : 0,
    marks: Object.fromEntries(
      MARKS.map(([name]) => [name, own.filter(({ mark }) => mark === name).length]),
    ) as Account['marks'],
  };
}

/** Review a record here and now, with rules that have been given the judge's data. */
export function review(
  rules: Bots,
  record: unknown,
  iterations = ITERATIONS,
  seed = 1,
  tell: (progress: Progress) => void = () => {},
): Review {
  const game = told(rules, headOf(record));
  const by = new Judge(rules, game.record.players);
  const head = about(by, game);
  const found = Array.from({ length: head.total + 1 }, (_, number) => {
    const judged = judge(by, game, number, iterations, seed);
    if (judged.step) tell({ done: number, total: head.total, step: judged.step, chances: judged.chances });
    return judged;
  });
  return summedUp(head, found, iterations, seed);
}
