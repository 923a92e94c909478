/** Compares a module with the native rules: Python supplies the expectations, Node or a page reports the differences. */
import type { OptionValue } from './manifest';
import {
  encodePosition,
  decodePosition,
  deriveView,
  type Bots,
  type EncodedPosition,
  type State,
  type DerivedView,
} from './index';

export interface Expected {
  game: string;
  players: number;
  options: Record<string, OptionValue>;
  seed: string;
  /** Random games: from which number on, how many, and the digest of every state after every event. */
  runs: { first: number; games: number; digest: string; decisions: number }[];
  positions: Position[];
}

/** A position of a game played by Python with all expected answers; states are base64. */
interface Position {
  state: string;
  events: string[];
  move: string | null;
  legal: number[];
  previews: number[][];
  earned: number[][];
  reach: number[];
  bonus: boolean;
  ended: string | null;
  values: number[][];
  places: number[];
  lines: Record<string, Record<string, string[]>>;
  scored: string[];
  views: {
    seat: number | null;
    view: string;
    shown: EncodedPosition;
    worked_out: Partial<DerivedView>;
    guess: string;
  }[];
  refused: { move: number; key: string; clause: string; words: Record<string, string> }[];
  /** What levels, and bots by their names, did. */
  chosen: { who: number | string; iterations: number; seed: number; move: string }[];
}

const encodeState = (state: State): string => btoa(String.fromCharCode(...state));
const decodeState = (text: string): State => Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));

/** Every difference between the module's answers and the expectations, as messages. */
export function differences(rules: Bots, expected: Expected): string[] {
  const { game, players, options } = expected;
  const variant = `${game}, ${players} players ${JSON.stringify(options)}`;
  const messages: string[] = [];
  for (const { first, games, digest, decisions } of expected.runs) {
    const result = rules.digest(rules.start(players, options), BigInt(expected.seed), first, games);
    if (result.digest !== digest || result.decisions !== decisions)
      messages.push(`${variant}: games ${first} to ${first + games - 1} are not the same`);
  }
  expected.positions.forEach((position, at) => {
    for (const [label, [actual, wanted]] of Object.entries(compareAll(rules, expected, position, at)))
      if (canonicalJson(actual) !== canonicalJson(wanted))
        messages.push(
          `${variant}, position ${at}: ${label} is ${canonicalJson(actual)}, not ${canonicalJson(wanted)}`,
        );
  });
  return messages;
}

/** As JSON, with the names of an object in order. */
const canonicalJson = (value: unknown): string =>
  JSON.stringify(value, (_, inner: unknown) =>
    inner && typeof inner === 'object' && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort())
      : inner,
  );

/** What the module answers, and what was expected. */
function compareAll(
  rules: Bots,
  expected: Expected,
  position: Position,
  at: number,
): Record<string, [unknown, unknown]> {
  const state = decodeState(position.state);
  const legal = rules.legal(state);
  const pairs: Record<string, [unknown, unknown]> = {
    legal: [legal, position.legal],
    previews: [rules.previews(state, legal), position.previews],
    earned: [rules.earned(state, legal), position.earned],
    reach: [rules.reach(state), position.reach],
    bonus: [rules.bonus(state), position.bonus],
    ended: [rules.ended(state)?.key ?? null, position.ended],
    values: [rules.values(state), position.values],
    places: [rules.places(state), position.places],
    lines: [rules.lines(state), position.lines],
  };
  for (const { seat, view, shown, worked_out, guess } of position.views) {
    const seatView = rules.hide(state, seat);
    const decoded = decodePosition(rules, shown);
    pairs[`view of ${seat}`] = [encodeState(seatView), view];
    pairs[`shown to ${seat}`] = [encodePosition(rules, seatView, seat), shown];
    pairs[`told by ${seat}`] = [encodeState(decoded), view];
    pairs[`worked out by ${seat}`] = [
      deriveView(rules, decoded, seat),
      { legal: [], previews: [], lines: {}, earned: [], ...worked_out },
    ];
    pairs[`guess of ${seat}`] = [encodeState(rules.guess(seatView, seat, rules.chance(at, 1))), guess];
  }
  for (const { move, ...why } of position.refused)
    pairs[`refusal of ${move}`] = [rules.refusal(state, move), why];
  for (const { who, iterations, seed, move } of position.chosen) {
    const seat = rules.turn(state)!;
    const args = [rules.hide(state, seat), seat, rules.chance(seed), { iterations }] as const;
    const chosen = typeof who === 'number' ? rules.chooseAt(who, ...args) : rules.choose(who, ...args);
    pairs[typeof who === 'number' ? `level ${who}` : who] = [rules.notation.text(chosen), move];
  }
  return { ...pairs, ...compareNext(rules, expected, position, at) };
}

/** The move that was played, what chance did after it, and the state that this led to. */
function compareNext(
  rules: Bots,
  expected: Expected,
  position: Position,
  at: number,
): Record<string, [unknown, unknown]> {
  const after = expected.positions[at + 1];
  if (position.move === null || !after) return {};
  const state = decodeState(position.state);
  const move = rules.notation.number(position.move)!;
  const resolved = rules.resolveChance(rules.act(state, move), rules.chance(BigInt(expected.seed), at));
  return {
    scored: [rules.scored(state, move), position.scored],
    events: [[`${rules.turn(state)} ${rules.notation.text(move)}`, ...resolved.events], position.events],
    next: [encodeState(resolved.state), after.state],
  };
}

export interface Measurement {
  players: number;
  /** How long each is measured. */
  seconds: number;
  /** By bot the iterations of one decision, and how many units of work it is. */
  bots: Record<string, { iterations: number; units: number }>;
}

/** Decisions a second of random games, and what the bots do in a second at the first decision. */
export function measured(
  rules: Bots,
  { players, seconds, bots }: Measurement,
  clock: () => number,
): Record<string, number> {
  const initial = rules.start(players);
  const { state } = rules.resolveChance(initial, rules.chance(1));
  const seat = rules.turn(state)!;
  const view = rules.hide(state, seat);
  let first = 0;
  const play = (): number => rules.playRandom(initial, 1n, (first += 1000));
  const rates: Record<string, number> = { play: rate(play, seconds, clock) };
  for (const [bot, { iterations, units }] of Object.entries(bots)) {
    const think = (): number => {
      rules.choose(bot, view, seat, rules.chance(1), { iterations });
      return units;
    };
    rates[bot] = rate(think, seconds, clock);
  }
  return rates;
}

/** Units of work a second, once everything has been compiled for speed. */
function rate(work: () => number, seconds: number, clock: () => number): number {
  const rateOver = (limit: number): number => {
    const startedAt = clock();
    let done = 0;
    while (clock() - startedAt < limit) done += work();
    return done / (clock() - startedAt);
  };
  rateOver(seconds / 2);
  return rateOver(seconds);
}
