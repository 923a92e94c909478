/** How much time a seat has left, in milliseconds; null where no clock runs for it. */
import type { View } from './types';

export const LOW = 10_000;

export function timeLeft(view: View, seat: number, now: number): number | null {
  const shown = view.seats[seat];
  if (view.setup.clock === 'none' || view.stage !== 'playing' || shown?.kind !== 'person') return null;
  const running = view.turn === seat;
  if (view.setup.clock === 'move' && !running) return null;
  const all = view.setup.clock === 'game' ? shown.time_left : view.setup.seconds * 1000;
  return Math.max(0, all - (running ? now - view.turn_began : 0));
}
