/** Where a review can stop: before the deal, at every event, and at the end. A decision is shown in the position in which
 *  it was made, or where nothing is said about it and it is somebody else's, after it; a draw or roll with what it brought. */
import { say } from '../lib/language.svelte';
import { viewOfStep } from '../table/replay-view';
import type { Position, Replay, View } from '../lib/types';
import { apply } from '../local/shuffle';
import { encodePosition, deriveView, type Bots, type EncodedPosition, type State } from '../rules';
import type { CheckedRecord } from './records';

export interface Stops {
  rules: Bots;
  record: CheckedRecord;
  /** The state after each event, beginning with the initial one. */
  states: State[];
  replay: Replay;
}

/** The player of a decision; null for chance. */
export const deciderOf = (line: string): number | null => (/^\d/.test(line) ? parseInt(line, 10) : null);

export const namesOf = ({ names, players }: CheckedRecord): string[] =>
  Array.from({ length: players }, (_, at) => {
    const name = names?.[at];
    return typeof name === 'string' && name ? name : say('seat_number', { n: at + 1 });
  });

export function stopsOf(rules: Bots, record: CheckedRecord): Stops {
  const { events, players, options, bots } = record;
  const states = [rules.start(players, options)];
  for (const line of events) states.push(apply(rules, states.at(-1)!, line));
  const step = (state: State, lines: string[], player: number | null = null): Replay['steps'][number] => ({
    events: lines,
    player,
    gained: rules.about.values.map(() => 0),
    position: encodePosition<EncodedPosition>(rules, state, null) as Position,
    reach: rules.reach(state),
  });
  const steps = events.map((line, at) =>
    deciderOf(line) === null ? step(states[at + 1]!, [line]) : step(states[at]!, [], deciderOf(line)),
  );
  const last = events.at(-1) ?? '';
  const endStep = {
    ...step(states.at(-1)!, events.slice(-1), deciderOf(last)),
    gained: gainedAt(rules, states, events, events.length),
  };
  return {
    rules,
    record,
    states,
    replay: {
      game: record.game,
      round: 1,
      rounds: 1,
      names: namesOf(record),
      bots: Array.from({ length: players }, (_, at) => bots?.[at] ?? null),
      resigned: record.resigned ?? [],
      places: record.result?.places ?? null,
      steps: [step(states[0]!, []), ...steps, endStep],
      commitment: '',
      key: '',
    },
  };
}

/** What event `number`, counted from 1, gained for the deciding player. */
function gainedAt(rules: Bots, states: State[], events: string[], number: number): number[] {
  const player = deciderOf(events[number - 1] ?? '');
  if (player === null) return rules.about.values.map(() => 0);
  const [before, after] = [rules.values(states[number - 1]!), rules.values(states[number]!)];
  return after[player]!.map((value, at) => value - before[player]![at]!);
}

export const gained = ({ rules, states, record }: Stops, number: number): number[] =>
  gainedAt(rules, states, record.events, number);

/** The table at a stop, everything open; with `made`, after the decision of this stop and not before it. */
export function viewAt(stops: Stops, at: number, side: number, afterDecision = false): View {
  const { rules, record, states, replay } = stops;
  if (!afterDecision) return viewOfStep(replay, at, side);
  const step = {
    ...replay.steps[at]!,
    events: [record.events[at - 1]!],
    gained: gained(stops, at),
    position: encodePosition<EncodedPosition>(rules, states[at]!, null) as Position,
    reach: rules.reach(states[at]!),
  };
  return viewOfStep({ ...replay, steps: replay.steps.with(at, step) }, at, side);
}

/** The table before a decision, as its player saw it, with everything to decide. */
export function decidingView({ rules, states, replay, record }: Stops, number: number): View {
  const player = deciderOf(record.events[number - 1]!)!;
  const playerView = rules.hide(states[number - 1]!, player);
  return {
    ...viewOfStep(replay, number, player),
    stage: 'playing',
    seat: player,
    turn: player,
    last: null,
    bonus: rules.bonus(playerView),
    position: encodePosition<EncodedPosition>(rules, playerView, player) as Position,
    ...deriveView(rules, playerView, player),
  };
}
