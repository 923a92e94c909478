/** Why one move is better than another, and what a draw was good for, in the words of the game. Everything is worked out
 *  from what the player knew: hidden items are resampled. */
import { gameOf } from '../games';
import { difference } from '../lib/ranking';
import type { Key } from '../lib/language.svelte';
import { OVER } from '../rules/rules';
import type { Bots, State } from '../rules';

/** A sentence key and its arguments, with symbols as letters and pieces in the notation. */
export interface Reason {
  key: Key;
  /** The player it is about, and another one. */
  player: number;
  other?: number;
  symbol?: string;
  /** Several symbols that the better move raises, and those of the move that was played. */
  raised?: [string[], string[]];
  /** What both bring. */
  gains?: [number[], number[]];
  piece?: string;
  words: Record<string, number>;
}

// How many determinizations the lookahead samples, and the smallest effect that counts as a difference.
const SAMPLES = 10;
const MIN_EFFECT = 0.8;
// A cap on the opponents' decisions before the player's next turn.
const MAX_REPLIES = 24;

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);
/** Every value that is the lowest. */
const allLowest = (values: readonly number[]): number[] =>
  values.flatMap((value, at) => (value === Math.min(...values) ? [at] : []));
const lowestOf = (values: readonly number[]): number => values.indexOf(Math.min(...values));
/** The tile or card that a move uses. */
const pieceOf = (move: string): string | undefined => /^\w+ ([A-Z]{2})\b/.exec(move)?.[1];

interface TriedMove {
  move: string;
  /** The number of the move. */
  number: number;
  /** A world after it. */
  nextState: State;
  /** The player's values after it. */
  after: number[];
  gains: number[];
  /** Earned, but more than there was room for. */
  wasted: number;
}

function tryMove(rules: Bots, view: State, player: number, move: string): TriedMove {
  const number = rules.notation.number(move)!;
  const nextState = rules.act(rules.guess(view, player, rules.chance(0)), number);
  const gains = rules.gains(view, [number])[0]!;
  const earned = rules.earned(view, [number])[0]!;
  const after = rules.values(nextState)[player]!;
  return { move, number, nextState, after, gains, wasted: Math.max(0, sum(earned) - sum(gains)) };
}

/** The most telling reason why a player should have made the better move. */
export function whyBetter(rules: Bots, state: State, player: number, better: string, played: string): Reason {
  const view = rules.hide(state, player);
  const before = rules.values(view)[player]!;
  const [best, own] = [better, played].map((move) => tryMove(rules, view, player, move)) as [
    TriedMove,
    TriedMove,
  ];
  const part =
    immediateReason(rules, player, best, own) ??
    raisingReason(rules, before, best, own) ??
    chanceReason(rules, player, before, best, own) ??
    keepingReason(rules, before, best, own) ??
    lookaheadReason(rules, view, player, best, own) ??
    totalReason(best, own);
  const { symbols } = rules.about;
  return {
    player,
    ...part,
    symbol: part.at === undefined ? undefined : symbols[part.at],
    words: part.words ?? {},
  };
}

/** What a reason has of its own; a symbol by its place. */
type ReasonPart = Partial<Pick<Reason, 'other' | 'piece' | 'raised' | 'gains' | 'words'>> & {
  key: Key;
  at?: number;
};

/** It ends the game, or gives another turn. */
function immediateReason(
  rules: Bots,
  player: number,
  best: TriedMove,
  own: TriedMove,
): ReasonPart | undefined {
  const { goal, last } = rules.about;
  const wins = ({ nextState, after }: TriedMove): boolean =>
    rules.number(nextState, 'phase') === OVER && Math.min(...after) >= goal;
  if (wins(best) && !wins(own)) return { key: 'review_why_wins' };
  const again = ({ nextState }: TriedMove): boolean =>
    rules.turn(nextState) === player && rules.bonus(nextState);
  const full = best.gains.findIndex((gain, at) => gain > 0 && best.after[at] === last);
  if (full >= 0 && again(best) && !again(own))
    return { key: 'review_why_bonus', at: full, words: { goal: last } };
  return undefined;
}

/** It raises the lowest symbol further, or more of the lowest. */
function raisingReason(
  rules: Bots,
  before: number[],
  best: TriedMove,
  own: TriedMove,
): ReasonPart | undefined {
  const lead = difference(best.after, own.after);
  if (!lead || lead.ahead < lead.behind) return undefined;
  const lowest = allLowest(before);
  const raisedFurther = lowest.filter((at) => best.after[at]! > own.after[at]!);
  const raisedBy = ({ gains }: TriedMove): string[] =>
    lowest.filter((at) => gains[at]! > 0).map((at) => rules.about.symbols[at]!);
  const raised: [string[], string[]] = [raisedBy(best), raisedBy(own)];
  if (raised[1].length && raised[0].length > raised[1].length) return { key: 'review_why_several', raised };
  const at = raisedFurther.toSorted((a, b) => best.after[b]! - best.after[a]!)[0];
  if (at === undefined || (lead.at > 0 && raised[1].length)) return undefined;
  const words = { before: before[at]!, after: best.after[at]!, left: own.after[at]! };
  return { key: 'review_why_raises', at, words };
}

/** Rolling again, or something new in hand: whether what is there was good enough. */
function chanceReason(
  rules: Bots,
  player: number,
  before: number[],
  best: TriedMove,
  own: TriedMove,
): ReasonPart | undefined {
  const at = lowestOf(before);
  if (rules.about.choices.includes(best.move))
    return {
      key: best.move === gameOf(rules.about.game)?.declines ? 'review_why_keep' : 'review_why_new',
      at,
    };
  // A public draw or roll follows before the turn is over.
  const again = ({ nextState }: TriedMove): boolean => {
    const pending = rules.pendingChance(nextState);
    return pending?.player === player && !pending.occasion.hidden;
  };
  if (again(best) === again(own) || pieceOf(best.move)) return undefined;
  if (again(own)) return { key: 'review_why_take' };
  return own.gains[at] ? { key: 'review_why_again' } : { key: 'review_why_again_low', at };
}

/** What a player could do at best in a world: how far each symbol is raised, and all in all; and the move for it. */
function bestOf(rules: Bots, state: State): { raised: number[]; all: number; move: number } {
  const legal = rules.legal(state);
  const gains = rules.gains(state, legal);
  const sums = gains.map(sum);
  const all = Math.max(...sums);
  const raised = rules.about.values.map((_, at) => Math.max(...gains.map((row) => row[at]!)));
  return { raised, all, move: legal[sums.indexOf(all)]! };
}

/** Averages over determinizations: what the next player can gain, and what the player can gain after greedy replies. */
interface Lookahead {
  next: number;
  /** By symbol, as far as the next player could raise it on average. */
  raised: number[];
  all: number;
  low: number;
  /** The player's own best next turn; null where the game ends before it. */
  own: number | null;
}

function sampleLookahead(rules: Bots, view: State, player: number, { number }: TriedMove): Lookahead | null {
  const lookahead: Lookahead = { next: -1, raised: rules.about.values.map(() => 0), all: 0, low: 0, own: 0 };
  for (let sample = 0; sample < SAMPLES; sample++) {
    const chance = rules.chance(1, sample);
    const determinized = rules.guess(view, player, chance);
    let { state } = rules.resolveChance(rules.act(determinized, number), chance);
    const next = rules.turn(state);
    if (next === null || next === player) return null;
    lookahead.next = next;
    lookahead.low = lowestOf(rules.values(state)[next]!);
    const first = bestOf(rules, state);
    lookahead.all += first.all / SAMPLES;
    lookahead.raised = lookahead.raised.map((n, at) => n + first.raised[at]! / SAMPLES);
    for (let turns = 0; turns < MAX_REPLIES && ![null, player].includes(rules.turn(state)); turns++)
      ({ state } = rules.resolveChance(rules.act(state, bestOf(rules, state).move), chance));
    if (rules.turn(state) !== player) lookahead.own = null;
    else if (lookahead.own !== null) lookahead.own += bestOf(rules, state).all / SAMPLES;
  }
  return lookahead;
}

/** It leaves less to the next player, or prepares a better next turn. */
function lookaheadReason(
  rules: Bots,
  view: State,
  player: number,
  best: TriedMove,
  own: TriedMove,
): ReasonPart | undefined {
  const [bestAhead, ownAhead] = [best, own].map((move) => sampleLookahead(rules, view, player, move));
  if (!bestAhead || !ownAhead || bestAhead.next !== ownAhead.next) return undefined;
  if (ownAhead.raised[ownAhead.low]! - bestAhead.raised[ownAhead.low]! > MIN_EFFECT)
    return { key: 'review_why_denies', at: ownAhead.low, other: bestAhead.next };
  if (ownAhead.all - bestAhead.all > MIN_EFFECT)
    return {
      key: 'review_why_leaves',
      other: bestAhead.next,
      words: { fewer: bestAhead.all, many: ownAhead.all },
    };
  if (bestAhead.own !== null && ownAhead.own !== null && bestAhead.own - ownAhead.own > MIN_EFFECT / 2)
    return { key: 'review_why_prepares', words: { many: bestAhead.own, fewer: ownAhead.own } };
  return undefined;
}

/** It keeps what the lowest symbol needs. */
function keepingReason(
  rules: Bots,
  before: number[],
  best: TriedMove,
  own: TriedMove,
): ReasonPart | undefined {
  const [bestPiece, playedPiece] = [pieceOf(best.move), pieceOf(own.move)];
  const at = lowestOf(before);
  const letter = rules.about.symbols[at]!;
  if (!bestPiece || !playedPiece || bestPiece.includes(letter) || !playedPiece.includes(letter))
    return undefined;
  return { key: 'review_why_keeps', at, piece: playedPiece };
}

/** It simply brings more, wastes less, or is worth more later. */
function totalReason(best: TriedMove, own: TriedMove): ReasonPart {
  const [more, less] = [sum(best.gains), sum(own.gains)];
  if (best.wasted < own.wasted) return { key: 'review_why_waste', words: { n: own.wasted } };
  if (more > less) return { key: 'review_why_more', gains: [best.gains, own.gains] };
  return { key: more < less ? 'review_why_later' : 'review_why_open' };
}

/** What a draw or roll was good for, or lacked. */
export function whyLucky(rules: Bots, after: State, player: number, event: string, luck: number): Reason {
  const values = rules.values(after)[player]!;
  const low = allLowest(values);
  const fallback: Reason = { player, key: luck > 0 ? 'review_luck_good' : 'review_luck_bad', words: {} };
  if (low.length === values.length) return fallback;
  const reasonAt = (key: Key, at: number, words = {}): Reason => ({
    player,
    key,
    symbol: rules.about.symbols[at]!,
    words,
  });
  if (rules.turn(after) === player) {
    const { raised } = bestOf(rules, after);
    const at = low.reduce((best, candidate) => (raised[candidate]! > raised[best]! ? candidate : best));
    if (luck > 0 && raised[at]! > 0)
      return reasonAt('review_luck_raises', at, { before: values[at]!, after: values[at]! + raised[at]! });
    if (luck < 0 && !raised[at]) return reasonAt('review_luck_nothing', at);
  }
  const letters = event.split(' ').slice(2).join('');
  const shownSymbol = low.find((at) => letters.includes(rules.about.symbols[at]!));
  if (luck > 0 && shownSymbol !== undefined) return reasonAt('review_luck_shows', shownSymbol);
  if (luck < 0 && shownSymbol === undefined) return reasonAt('review_luck_lacks', low[0]!);
  return fallback;
}
