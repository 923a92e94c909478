/** How a seat is called. */
import { levelName, say } from './language.svelte';
import type { SeatShown, View } from './types';

export function seatName(seat: SeatShown, number: number): string {
  if (seat.kind === 'bot') return levelName(seat.level);
  return seat.name || say('seat_number', { n: number + 1 });
}

export const playerName = (view: View, player: number): string => {
  const seat = view.order?.[player] ?? player;
  return seatName(view.seats[seat]!, seat);
};
