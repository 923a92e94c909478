/** The rules of each game in this page: loaded once, then available synchronously. */
import {
  open,
  encodePosition,
  decodePosition,
  deriveView,
  type Bots,
  type EncodedPosition,
  type State,
} from '../rules';
import { decodeState, encodeState } from '../local/values';
import { rulesUrl } from './urls';
import type { EventShown, GameName, Position, View } from './types';

const requests = new Map<GameName, Promise<Bots>>();
const loaded = new Map<GameName, Bots>();

export function rulesOf(game: GameName): Promise<Bots> {
  let rules = requests.get(game);
  if (!rules) {
    rules = open(game, rulesUrl()) as Promise<Bots>;
    requests.set(game, rules);
    rules.then(
      (result) => loaded.set(game, result),
      () => requests.delete(game), // the next one asks again
    );
  }
  return rules;
}

/** The rules of a game, where they are here already. */
export const knownRules = (game: GameName): Bots | undefined => loaded.get(game);

/** A view that a server sent as a state, without what the rules say about it. */
export const isLight = (view: View): boolean => view.legal == null;

/** Can these rules read the state of a light view? Not if the server has another version of the game. */
export const canComplete = (rules: Bots, { state }: View): boolean =>
  state == null || state.startsWith(`${rules.about.state.layout}.`);

const ownPlayer = (view: View): number | null =>
  view.seat === null || !view.order ? null : view.order.indexOf(view.seat);

const stateOfView = (rules: Bots, view: View): State =>
  view.state
    ? decodeState(view.state.split('.')[1]!)
    : decodePosition(rules, view.position as EncodedPosition);

/** A light view with everything that follows from its state. */
export function complete(rules: Bots, view: View): View {
  if (!isLight(view)) return view;
  if (!view.state)
    return { ...view, position: null, legal: [], previews: [], earned: [], lines: {}, reach: [] };
  const state = stateOfView(rules, view);
  const player = ownPlayer(view);
  const position = encodePosition<EncodedPosition>(rules, state, player) as Position;
  return { ...view, position, ...deriveView(rules, state, player) };
}

/** Predict a move of the active seat before the table has answered, leaving draws and rolls open.
 *  null if the move is illegal or its effect is entirely random, as for a reroll. */
export function predictMove(
  rules: Bots,
  view: View,
  move: string,
  version: number,
): { view: View; event: EventShown } | null {
  const { position, seat, order } = view;
  const player = ownPlayer(view);
  const moveNumber = rules.notation.number(move);
  if (!position || !order || seat === null || player === null || moveNumber === null || view.turn !== seat)
    return null;
  const state = stateOfView(rules, view);
  if (rules.turn(state) !== player || !rules.allowed(state, moveNumber)) return null;
  const nextState = rules.act(state, moveNumber);
  const nextPosition = encodePosition<EncodedPosition>(rules, nextState, player) as Position;
  const gained = nextPosition.values[player]!.map((value, index) => value - position.values[player]![index]!);
  const pending = rules.pendingChance(nextState);
  const rollsAgain = pending?.player === player && !pending.occasion.hidden;
  if (rollsAgain || rules.about.choices.includes(move)) return null;
  const bonus = rules.turn(nextState) === player && rules.bonus(nextState);
  const event: EventShown = {
    type: 'move',
    version,
    at: Date.now(),
    seat,
    line: { key: 'log_move', words: { name: view.seats[seat]!.name, move } },
    events: [`${player} ${move}`],
    gained,
    bonus,
    counted: rules.scored(state, moveNumber),
  };
  const nextView: View = {
    ...view,
    position: nextPosition,
    state: `${rules.about.state.layout}.${encodeState(nextState)}`,
    turn: nextPosition.phase === 'over' ? null : order[nextPosition.turn]!,
    bonus,
    undo: false,
    undo_why: null,
    last: event,
    ...deriveView(rules, nextState, player),
  };
  return { view: nextView, event };
}
