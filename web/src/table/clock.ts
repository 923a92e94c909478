/** How much time a seat has left, in milliseconds; null where no clock runs for it. */
import type { TableView } from '../lib/types';

export const LOW = 10_000;

export function timeLeft(view: TableView, seat: number, now: number): number | null {
  const player = view.seats[seat];
  if (view.setup.clock === 'none' || view.stage !== 'playing' || player?.kind !== 'person') return null;
  const running = view.turn === seat;
  if (view.setup.clock === 'move' && !running) return null;
  const budget = view.setup.clock === 'game' ? player.time_left : view.setup.seconds * 1000;
  return Math.max(0, budget - (running ? now - view.turn_began : 0));
}
