/** The rules of each game in this page: loaded once, then asked without waiting. */
import { open, shownOf, stateOf, workedOut, type Bots, type Shown, type State } from '../rules';
import { RULES } from './places';
import type { EventShown, GameName, Position, View } from './types';

const asked = new Map<GameName, Promise<Bots>>();
const loaded = new Map<GameName, Bots>();

export function rulesOf(game: GameName): Promise<Bots> {
  let rules = asked.get(game);
  if (!rules) {
    rules = open(game, RULES()) as Promise<Bots>;
    asked.set(game, rules);
    rules.then(
      (found) => loaded.set(game, found),
      () => asked.delete(game), // the next one asks again
    );
  }
  return rules;
}

/** The rules of a game, where they are here already. */
export const knownRules = (game: GameName): Bots | undefined => loaded.get(game);

/** A view that a server sent without what the rules say about its position. */
export const isLight = (view: View): boolean => view.legal == null;

const playerOf = (view: View): number | null =>
  view.seat === null || !view.order ? null : view.order.indexOf(view.seat);

const stateIn = (rules: Bots, position: Position): State => stateOf(rules, position as Shown);

/** A light view with everything that follows from its position. */
export function complete(rules: Bots, view: View): View {
  if (!isLight(view)) return view;
  if (!view.position) return { ...view, legal: [], previews: [], earned: [], lines: {}, reach: [] };
  return { ...view, ...workedOut(rules, stateIn(rules, view.position), playerOf(view)) };
}

/** What a move of the seat in turn does, before anybody has answered: what is drawn or rolled then is left open.
 *  null where the move is not allowed, or where chance does all of it: rolling again, or choosing something new. */
export function foreseen(
  rules: Bots,
  view: View,
  move: string,
  version: number,
): { view: View; event: EventShown } | null {
  const { position, seat, order } = view;
  const player = playerOf(view);
  const number = rules.spelling.number(move);
  if (!position || !order || seat === null || player === null || number === null || view.turn !== seat)
    return null;
  const state = stateIn(rules, position);
  if (rules.turn(state) !== player || !rules.allowed(state, number)) return null;
  const after = rules.act(state, number);
  const shown = shownOf<Shown>(rules, after, player) as Position;
  const gained = shown.values[player]!.map((value, at) => value - position.values[player]![at]!);
  const owed = rules.owed(after);
  const again = owed?.player === player && !owed.occasion.hidden;
  if (again || rules.about.choices.includes(move)) return null;
  const bonus = rules.turn(after) === player && rules.bonus(after);
  const event: EventShown = {
    type: 'move',
    version,
    at: Date.now(),
    seat,
    line: { key: 'log_move', words: { name: view.seats[seat]!.name, move } },
    events: [`${player} ${move}`],
    gained,
    bonus,
    counted: rules.scored(state, number),
  };
  const ahead: View = {
    ...view,
    position: shown,
    turn: shown.phase === 'over' ? null : order[shown.turn]!,
    bonus,
    undo: false,
    undo_why: null,
    last: event,
    ...workedOut(rules, after, player),
  };
  return { view: ahead, event };
}
