/** Which seat of a record is one's own, and what is remembered of it for the statistics. */
import { isLocal } from '../lib/api';
import { finishedGames, type Finished } from '../lib/home';
import type { Review } from '../review/types';
import { keepSums } from './kept';
import { keyOf, type Recorded } from './records';

type Table = { id: string; round: number } | null;

const finishedAt = (table: Table): Finished | undefined =>
  finishedGames().find((game) => game.id === table?.id && game.round === table.round);

/** The player that somebody on this device was; null where several shared it, or nobody knows. */
export function ownSeat({ bots, players }: Recorded, table: Table): number | null {
  const finished = finishedAt(table);
  if (finished) return finished.me === null ? null : finished.side;
  const people = Array.from({ length: players }, (_, at) => at).filter((at) => !bots?.[at]);
  return table && isLocal(table.id) && people.length === 1 ? people[0]! : null;
}

/** The strongest bot among the others, or '' where there are people. */
function levelAgainst({ bots, players }: Recorded, own: number): string {
  const levels = Array.from({ length: players }, (_, at) => bots?.[at] ?? '').filter((_, at) => at !== own);
  return levels.includes('') ? '' : (levels.toSorted().at(-1) ?? '');
}

export async function rememberSums(record: Recorded, review: Review, table: Table): Promise<void> {
  const own = ownSeat(record, table);
  if (own === null) return;
  const at = finishedAt(table)?.at ?? Date.now();
  const account = review.accounts[own]!;
  await keepSums({ key: keyOf(record), game: record.game, at, level: levelAgainst(record, own), account });
}
