/** The view of a position that belongs to no table, with a decision to make. */
import { encodePosition, deriveView, type Bots, type EncodedPosition, type State } from '../rules';
import { viewOfStep } from './replay-view';
import type { Position, SeatShown, View } from '../lib/types';

export interface Scene {
  rules: Bots;
  /** What the seat knows. */
  view: State;
  seat: number;
  seats: Pick<SeatShown, 'name' | 'portrait'>[];
  /** What happened in the last turn, and what it brought. */
  events: string[];
  gained: number[];
  /** Changes whenever the selection must be reset. */
  moment: number;
}

export function viewOfPosition({ rules, view, seat, seats, events, gained, moment }: Scene): View {
  const position = encodePosition<EncodedPosition>(rules, view, seat) as Position;
  const player = /^\d/.test(events[0] ?? '') ? parseInt(events[0]!, 10) : null;
  const replay = {
    game: position.game,
    round: 1,
    rounds: 1,
    names: seats.map(({ name }) => name),
    bots: seats.map(() => null),
    resigned: [],
    places: null,
    steps: [{ events, player, gained, position, reach: rules.reach(view) }],
    commitment: '',
    key: '',
  };
  const base = viewOfStep(replay, 0, seat);
  return {
    ...base,
    stage: position.phase === 'over' ? 'over' : 'playing',
    seats: base.seats.map((seatView, index) => ({ ...seatView, ...seats[index]! })),
    seat,
    turn: rules.turn(view),
    round: moment,
    bonus: rules.turn(view) !== null && rules.bonus(view),
    ...deriveView(rules, view, seat),
  };
}
