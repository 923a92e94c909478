/** Which seat of a record belongs to this device's player, and what is stored of it for the statistics. */
import { isLocal } from '../lib/api';
import { finishedGames, type Finished } from '../history/game-history';
import type { Review } from './engine/types';
import { storeSums } from './storage';
import { keyOf, type CheckedRecord } from './records';

type Table = { id: string; round: number } | null;

const finishedGameOf = (table: Table): Finished | undefined =>
  finishedGames().find((game) => game.id === table?.id && game.round === table.round);

/** The number of this device's player; null where several people shared it or it is not known. */
export function ownSeat({ bots, players }: CheckedRecord, table: Table): number | null {
  const finished = finishedGameOf(table);
  if (finished) return finished.me === null ? null : finished.side;
  const humans = Array.from({ length: players }, (_, player) => player).filter((player) => !bots?.[player]);
  return table && isLocal(table.id) && humans.length === 1 ? humans[0]! : null;
}

/** The strongest bot among the others, or '' where there are people. */
function strongestOpponent({ bots, players }: CheckedRecord, ownPlayer: number): string {
  const levels = Array.from({ length: players }, (_, player) => bots?.[player] ?? '').filter(
    (_, player) => player !== ownPlayer,
  );
  return levels.includes('') ? '' : (levels.toSorted().at(-1) ?? '');
}

export async function rememberSums(record: CheckedRecord, review: Review, table: Table): Promise<void> {
  const ownPlayer = ownSeat(record, table);
  if (ownPlayer === null) return;
  const at = finishedGameOf(table)?.at ?? Date.now();
  const account = review.accounts[ownPlayer]!;
  await storeSums({
    key: keyOf(record),
    game: record.game,
    at,
    level: strongestOpponent(record, ownPlayer),
    account,
  });
}
