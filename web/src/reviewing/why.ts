/** Why one move is better than another, and what a draw was good for, in the words of the game. Everything is worked out
 *  from what the player knew: what is hidden is dealt anew. */
import { difference } from '../lib/why';
import type { Key } from '../lib/language.svelte';
import { OVER } from '../rules/rules';
import type { Bots, State } from '../rules';

/** A sentence to be said, with symbols by their letters and pieces in the notation. */
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

// In so many worlds it is tried what somebody could do next; less than this is no difference.
const WORLDS = 10;
const TELLING = 0.8;
// After so many decisions of the others it is one's own turn again.
const MOST_REPLIES = 24;

const SYMBOLS = [0, 1, 2, 3, 4, 5];
const sum = (numbers: readonly number[]): number => numbers.reduce((all, number) => all + number, 0);
const lowestOf = (values: readonly number[]): number => values.indexOf(Math.min(...values));
/** The tile or card that a move uses. */
const pieceOf = (move: string): string | undefined => /^\w+ ([A-Z]{2})\b/.exec(move)?.[1];

interface Tried {
  move: string;
  /** The number of the move. */
  number: number;
  /** A world after it. */
  then: State;
  /** The player's values after it. */
  after: number[];
  gains: number[];
  /** Earned, but more than there was room for. */
  wasted: number;
}

function tried(rules: Bots, view: State, player: number, move: string): Tried {
  const number = rules.spelling.number(move)!;
  const then = rules.act(rules.guess(view, player, rules.chance(0)), number);
  const gains = rules.previews(view, [number])[0]!.slice(0, 6);
  const earned = rules.earned(view, [number])[0]!;
  const after = rules.values(then)[player]!;
  return { move, number, then, after, gains, wasted: Math.max(0, sum(earned) - sum(gains)) };
}

/** The most telling reason why a player should have made the better move. */
export function whyBetter(rules: Bots, state: State, player: number, better: string, played: string): Reason {
  const view = rules.hide(state, player);
  const before = rules.values(view)[player]!;
  const [best, own] = [better, played].map((move) => tried(rules, view, player, move)) as [Tried, Tried];
  const found =
    atOnce(rules, player, best, own) ??
    raising(rules, before, best, own) ??
    choosing(rules, player, before, best, own) ??
    keeping(rules, before, best, own) ??
    lookingAhead(rules, view, player, best, own) ??
    adding(best, own);
  const { symbols } = rules.about;
  return {
    player,
    ...found,
    symbol: found.at === undefined ? undefined : symbols[found.at],
    words: found.words ?? {},
  };
}

/** What a reason has of its own; a symbol by its place. */
type Part = Partial<Pick<Reason, 'other' | 'piece' | 'raised' | 'gains' | 'words'>> & {
  key: Key;
  at?: number;
};

/** It ends the game, or gives another turn. */
function atOnce(rules: Bots, player: number, best: Tried, own: Tried): Part | undefined {
  const { goal, last } = rules.about;
  const wins = ({ then, after }: Tried): boolean =>
    rules.number(then, 'phase') === OVER && Math.min(...after) >= goal;
  if (wins(best) && !wins(own)) return { key: 'review_why_wins' };
  const again = ({ then }: Tried): boolean => rules.turn(then) === player && rules.bonus(then);
  const full = SYMBOLS.find((at) => best.gains[at]! > 0 && best.after[at] === last);
  if (full !== undefined && again(best) && !again(own))
    return { key: 'review_why_bonus', at: full, words: { goal: last } };
  return undefined;
}

/** It raises the lowest symbol further, or more of the lowest. */
function raising(rules: Bots, before: number[], best: Tried, own: Tried): Part | undefined {
  const ahead = difference(best.after, own.after);
  if (!ahead || ahead.ahead < ahead.behind) return undefined;
  const low = SYMBOLS.filter((at) => before[at] === Math.min(...before));
  const further = low.filter((at) => best.after[at]! > own.after[at]!);
  const raisedBy = ({ gains }: Tried): string[] =>
    low.filter((at) => gains[at]! > 0).map((at) => rules.about.symbols[at]!);
  const raised: [string[], string[]] = [raisedBy(best), raisedBy(own)];
  if (raised[1].length && raised[0].length > raised[1].length) return { key: 'review_why_several', raised };
  const at = further.toSorted((one, other) => best.after[other]! - best.after[one]!)[0];
  if (at === undefined || (ahead.at > 0 && raised[1].length)) return undefined;
  const words = { before: before[at]!, after: best.after[at]!, left: own.after[at]! };
  return { key: 'review_why_raises', at, words };
}

/** Rolling again, or something new in hand: whether what is there was good enough. */
function choosing(rules: Bots, player: number, before: number[], best: Tried, own: Tried): Part | undefined {
  const at = lowestOf(before);
  if (rules.about.choices.includes(best.move))
    return { key: best.move === 'keep' ? 'review_why_keep' : 'review_why_new', at };
  // Chance goes on for everybody to see, before the turn is over.
  const again = ({ then }: Tried): boolean => {
    const owed = rules.owed(then);
    return owed?.player === player && !owed.occasion.hidden;
  };
  if (again(best) === again(own) || pieceOf(best.move)) return undefined;
  if (again(own)) return { key: 'review_why_take' };
  return own.gains[at] ? { key: 'review_why_again' } : { key: 'review_why_again_low', at };
}

/** What a player could do at best in a world: how far each symbol is raised, and all in all; and the move for it. */
function bestOf(rules: Bots, state: State): { raised: number[]; all: number; move: number } {
  const legal = rules.legal(state);
  const gains = rules.previews(state, legal).map((row) => row.slice(0, 6));
  const sums = gains.map(sum);
  const all = Math.max(...sums);
  const raised = SYMBOLS.map((at) => Math.max(...gains.map((row) => row[at]!)));
  return { raised, all, move: legal[sums.indexOf(all)]! };
}

/** What can be done next, over worlds: by whoever is next, and by the player after the others made the most of it. */
interface Ahead {
  next: number;
  /** By symbol, as far as the next player could raise it on average. */
  raised: number[];
  all: number;
  low: number;
  /** The player's own best next turn; null where the game ends before it. */
  own: number | null;
}

function lookAhead(rules: Bots, view: State, player: number, { number }: Tried): Ahead | null {
  const found: Ahead = { next: -1, raised: [0, 0, 0, 0, 0, 0], all: 0, low: 0, own: 0 };
  for (let world = 0; world < WORLDS; world++) {
    const chance = rules.chance(1, world);
    const guessed = rules.guess(view, player, chance);
    let { state } = rules.settle(rules.act(guessed, number), chance);
    const next = rules.turn(state);
    if (next === null || next === player) return null;
    found.next = next;
    found.low = lowestOf(rules.values(state)[next]!);
    const first = bestOf(rules, state);
    found.all += first.all / WORLDS;
    found.raised = found.raised.map((n, at) => n + first.raised[at]! / WORLDS);
    for (let turns = 0; turns < MOST_REPLIES && ![null, player].includes(rules.turn(state)); turns++)
      ({ state } = rules.settle(rules.act(state, bestOf(rules, state).move), chance));
    if (rules.turn(state) !== player) found.own = null;
    else if (found.own !== null) found.own += bestOf(rules, state).all / WORLDS;
  }
  return found;
}

/** It leaves less to whoever is next, or prepares more for the own next turn. */
function lookingAhead(rules: Bots, view: State, player: number, best: Tried, own: Tried): Part | undefined {
  const [kept, left] = [best, own].map((move) => lookAhead(rules, view, player, move));
  if (!kept || !left || kept.next !== left.next) return undefined;
  if (left.raised[left.low]! - kept.raised[left.low]! > TELLING)
    return { key: 'review_why_denies', at: left.low, other: kept.next };
  if (left.all - kept.all > TELLING)
    return { key: 'review_why_leaves', other: kept.next, words: { fewer: kept.all, many: left.all } };
  if (kept.own !== null && left.own !== null && kept.own - left.own > TELLING / 2)
    return { key: 'review_why_prepares', words: { many: kept.own, fewer: left.own } };
  return undefined;
}

/** It keeps what the lowest symbol needs. */
function keeping(rules: Bots, before: number[], best: Tried, own: Tried): Part | undefined {
  const [used, spent] = [pieceOf(best.move), pieceOf(own.move)];
  const at = lowestOf(before);
  const letter = rules.about.symbols[at]!;
  if (!used || !spent || used.includes(letter) || !spent.includes(letter)) return undefined;
  return { key: 'review_why_keeps', at, piece: spent };
}

/** It simply brings more, wastes less, or is worth more later. */
function adding(best: Tried, own: Tried): Part {
  const [more, less] = [sum(best.gains), sum(own.gains)];
  if (best.wasted < own.wasted) return { key: 'review_why_waste', words: { n: own.wasted } };
  if (more > less) return { key: 'review_why_more', gains: [best.gains, own.gains] };
  return { key: more < less ? 'review_why_later' : 'review_why_open' };
}

/** What a draw or roll was good for, or lacked. */
export function whyLucky(rules: Bots, after: State, player: number, event: string, luck: number): Reason {
  const values = rules.values(after)[player]!;
  const low = SYMBOLS.filter((at) => values[at] === Math.min(...values));
  const fits: Reason = { player, key: luck > 0 ? 'review_luck_good' : 'review_luck_bad', words: {} };
  if (low.length === SYMBOLS.length) return fits;
  const about = (key: Key, at: number, words = {}): Reason => ({
    player,
    key,
    symbol: rules.about.symbols[at]!,
    words,
  });
  if (rules.turn(after) === player) {
    const { raised } = bestOf(rules, after);
    const at = low.reduce((best, one) => (raised[one]! > raised[best]! ? one : best));
    if (luck > 0 && raised[at]! > 0)
      return about('review_luck_raises', at, { before: values[at]!, after: values[at]! + raised[at]! });
    if (luck < 0 && !raised[at]) return about('review_luck_nothing', at);
  }
  const letters = event.split(' ').slice(2).join('');
  const shown = low.find((at) => letters.includes(rules.about.symbols[at]!));
  if (luck > 0 && shown !== undefined) return about('review_luck_shows', shown);
  if (luck < 0 && shown === undefined) return about('review_luck_lacks', low[0]!);
  return fits;
}
