/** How a seat is called, and which face it has. */
import { levelName, say } from './language.svelte';
import type { SeatShown, TableView } from './types';

export const seatName = (seat: Pick<SeatShown, 'name'>, number: number): string =>
  seat.name || say('seat_number', { n: number + 1 });

/** "You" for the reader's seat, the name for all others. */
export const nameFor = (view: TableView, number: number, you: number | null): string =>
  number === you ? say('you_name') : seatName(view.seats[number]!, number);

/** "Mira, experienced": a bot with its level. */
export const fullName = (seat: Pick<SeatShown, 'kind' | 'name' | 'level'>, number: number): string =>
  seat.kind === 'bot'
    ? say('bot_name', { name: seat.name, level: levelName(seat.level) })
    : seatName(seat, number);
