/** How the values of a round developed, from its record. */
import type { Replay } from '../lib/types';

/** For each player the values after each of the player's own turns, beginning with the deal. */
export function development({ steps, names }: Replay): number[][][] {
  return names.map((_, player) => {
    const rows = [steps[0]?.position.values[player] ?? []];
    steps.forEach((step, at) => {
      // A turn of several decisions, as rolling again, keeping or a bonus turn, is one turn.
      if (step.player !== player) return;
      const next = steps.slice(at + 1).find((later) => later.player !== null);
      if (next?.player !== player) rows.push(step.position.values[player]!);
    });
    return rows;
  });
}

/** How many turns a player had. */
export const turnsOf = (rows: number[][][], player: number): number => (rows[player]?.length ?? 1) - 1;
