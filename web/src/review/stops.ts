/** Where a review can stop: before the deal, at every event, and at the end. A decision is shown in the position in which
 *  it was made, or where nothing is said about it and it is another player's, after it; a draw or roll with what it brought. */
import { decisionOf, decisionOfStep } from '../lib/decision';
import { say } from '../lib/language.svelte';
import type { Decision, Position } from '../lib/types';
import {
  deciderOf,
  encodePosition,
  gainedBy,
  walk,
  type Bots,
  type EncodedPosition,
  type State,
} from '../rules';
import type { CheckedRecord } from './records';

export interface Stops {
  rules: Bots;
  record: CheckedRecord;
  /** The state after each event, beginning with the initial one. */
  states: State[];
}

export const namesOf = ({ names, players }: CheckedRecord): string[] =>
  Array.from({ length: players }, (_, at) => {
    const name = names?.[at];
    return typeof name === 'string' && name ? name : say('seat_number', { n: at + 1 });
  });

export function stopsOf(rules: Bots, record: CheckedRecord): Stops {
  const start = rules.start(record.players, record.options);
  return {
    rules,
    record,
    states: [start, ...Array.from(walk(rules, start, record.events), ({ state }) => state)],
  };
}

/** What event `number`, counted from 1, gained for the deciding player. */
export const gained = ({ rules, states, record }: Stops, number: number): number[] =>
  gainedBy(
    rules,
    deciderOf(record.events[number - 1] ?? ''),
    states[Math.max(0, number - 1)]!,
    states[number]!,
  );

/** The game at a stop, everything open; with `afterDecision`, after the decision of this stop and not before it. */
export function stopAt(stops: Stops, at: number, side: number, afterDecision = false): Decision {
  const { rules, record, states } = stops;
  const number = Math.min(at, record.events.length);
  const line = record.events[number - 1];
  const player = line === undefined ? null : deciderOf(line);
  const happened = at > number || afterDecision || player === null;
  const state = states[happened ? number : number - 1]!;
  const step = {
    events: happened && line !== undefined ? [line] : [],
    gained: happened ? gained(stops, number) : rules.about.values.map(() => 0),
    player,
    position: encodePosition<EncodedPosition>(rules, state, null) as Position,
    reach: rules.reach(state),
  };
  return decisionOfStep(step, at + 1, side, namesOf(record));
}

/** The game before a decision, as its player saw it, with everything to decide. */
export function decisionBefore({ rules, states, record }: Stops, number: number, moment: string): Decision {
  const player = deciderOf(record.events[number - 1]!)!;
  const state = rules.hide(states[number - 1]!, player);
  return decisionOf(rules, state, player, { playing: true, names: namesOf(record), last: null, moment });
}
