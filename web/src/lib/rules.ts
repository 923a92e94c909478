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

/** A view that a server sent without what the rules say about its position. */
export const isLight = (view: View): boolean => view.legal == null;

const ownPlayer = (view: View): number | null =>
  view.seat === null || !view.order ? null : view.order.indexOf(view.seat);

const decodeView = (rules: Bots, position: Position): State =>
  decodePosition(rules, position as EncodedPosition);

/** A light view with everything that follows from its position. */
export function complete(rules: Bots, view: View): View {
  if (!isLight(view)) return view;
  if (!view.position) return { ...view, legal: [], previews: [], earned: [], lines: {}, reach: [] };
  return { ...view, ...deriveView(rules, decodeView(rules, view.position), ownPlayer(view)) };
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
  const state = decodeView(rules, position);
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
    turn: nextPosition.phase === 'over' ? null : order[nextPosition.turn]!,
    bonus,
    undo: false,
    undo_why: null,
    last: event,
    ...deriveView(rules, nextState, player),
  };
  return { view: nextView, event };
}
