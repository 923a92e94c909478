/** Decisions: of a table's view, of a position, of a step of a replay, and after a predicted move. */
import { deriveView, encodePosition, gainedBy, type Bots, type EncodedPosition, type State } from '../rules';
import { decodeState } from '../local/values';
import { seatName } from './names';
import { knownRules } from './rules';
import type { Decision, EventShown, Position, Replay, TableView, View, ViewMessage } from './types';

/** Was a view sent as a state, without what the rules say about it? */
export const isLight = (view: ViewMessage): boolean => view.legal == null;

/** Can these rules read the state of a light view? Not if the server has another version of the game. */
export const canComplete = (rules: Bots, { state }: ViewMessage): boolean =>
  state == null || state.startsWith(`${rules.about.state.layout}.`);

/** A position as a player knows it, with everything to decide. */
export const decisionOf = (
  rules: Bots,
  state: State,
  own: number | null,
  rest: Pick<Decision, 'playing' | 'names' | 'last' | 'moment'>,
): Decision => ({
  ...rest,
  own,
  state,
  position: encodePosition<EncodedPosition>(rules, state, own) as Position,
  ...deriveView(rules, state, rest.playing ? own : null),
});

/** A step of a replay seen from a side, everything open and nothing to decide. */
export const decisionOfStep = (
  { position, reach, events, gained, player }: Replay['steps'][number],
  version: number,
  side: number,
  names: string[],
): Decision => ({
  position: { ...position, seen_by: side },
  own: null,
  playing: false,
  names,
  legal: [],
  previews: [],
  earned: [],
  lines: {},
  reach,
  last: shownMove(events, gained, player, version),
  moment: String(version),
});

/** The last move, away from a table. */
export const shownMove = (
  events: string[],
  gained: number[],
  seat: number | null,
  version: number,
): EventShown => ({ type: 'move', at: 0, version, line: { key: '', words: {} }, seat, events, gained });

/** What the game on a table shows beside its position. */
export const gameAt = ({
  seats,
  turn,
  round,
  order,
  last,
}: TableView): Pick<Decision, 'playing' | 'names' | 'last' | 'moment'> => ({
  playing: turn !== null,
  names: (order ?? []).map((seat) => seatName(seats[seat]!, seat)),
  last,
  moment: [round, turn, last?.version].join(),
});

/** The view that a message holds; what a light one leaves out follows from its state. */
export function viewOf(message: ViewMessage, rules = knownRules(message.setup.game)): View {
  const { state, position, legal, previews, earned, lines, reach, ...table } = message;
  const { seat, order } = table;
  const own = seat === null || !order ? null : order.indexOf(seat);
  if (state && rules)
    return { ...table, decision: decisionOf(rules, decodeState(state.split('.')[1]!), own, gameAt(table)) };
  if (!position) return { ...table, decision: null };
  const decision = { position, own, legal, previews, earned, lines, reach, ...gameAt(table) };
  return { ...table, decision };
}

/** Predict an own move before anybody has answered, leaving draws and rolls open. null if the move is illegal or its
 *  effect is entirely random, as for a reroll. */
export function predictMove(
  rules: Bots,
  decision: Decision,
  move: string,
  version: number,
  seat: number,
): { decision: Decision; event: EventShown } | null {
  const { own: player, state } = decision;
  const moveNumber = rules.notation.number(move);
  if (player === null || !state || moveNumber === null || rules.about.choices.includes(move)) return null;
  if (rules.turn(state) !== player || !rules.allowed(state, moveNumber)) return null;
  const nextState = rules.act(state, moveNumber);
  const pending = rules.pendingChance(nextState);
  if (pending?.player === player && !pending.occasion.hidden) return null;
  const event: EventShown = {
    type: 'move',
    version,
    at: Date.now(),
    seat,
    line: { key: 'log_move', words: { name: decision.names[player]!, move } },
    events: [`${player} ${move}`],
    gained: gainedBy(rules, player, state, nextState),
    bonus: rules.turn(nextState) === player && rules.bonus(nextState),
    counted: rules.scored(state, moveNumber),
  };
  const next = decisionOf(rules, nextState, player, {
    names: decision.names,
    playing: !rules.over(nextState),
    last: event,
    moment: `${decision.moment},${version}`,
  });
  return { decision: next, event };
}
