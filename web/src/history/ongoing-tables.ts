/** The tables known to this device: ongoing ones are listed, finished ones are archived. */
import { inspect, Refused } from '../lib/api';
import { finishedFrom, finishedGames, rememberFinished } from './game-history';
import { seatName } from '../lib/names';
import { forgetTable, rememberedTables } from '../lib/settings.svelte';
import type { TableView } from '../lib/types';
import type { Player } from './game-history';

export interface OngoingTable {
  id: string;
  /** The view of the seat in turn, where it is one of this device. */
  view: TableView;
  mine: boolean;
}

export const playersOf = (view: TableView): Player[] =>
  view.seats.map((seat, at) => ({
    name: seatName(seat, at),
    portrait: seat.portrait,
    level: seat.kind === 'bot' ? seat.level : '',
  }));

/** Archive a finished table once; people who share a device have no seat of their own. */
export function archive(id: string, view: TableView, me: number | null, turns = 0): void {
  const archived = finishedGames().find((game) => game.id === id && game.round === view.round);
  if (archived && archived.turns >= turns) return;
  rememberFinished(finishedFrom(view, id, playersOf(view), me, view.result!.over_why, turns));
}

async function inspectTable(id: string): Promise<OngoingTable | null> {
  try {
    const { views } = await inspect(id);
    const ownTurn = views.find((view) => view.turn !== null && view.turn === view.seat);
    const view = ownTurn ?? views[0]!;
    if (view.stage !== 'over') return { id, view, mine: ownTurn !== undefined };
    if (view.seat !== null && view.result) archive(id, view, views.length === 1 ? view.seat : null);
    forgetTable(id);
  } catch (error) {
    if (error instanceof Refused && error.problem.key === 'no_table') forgetTable(id);
  }
  return null;
}

/** The ongoing games, those awaiting this device's move first. */
export async function ongoingTables(most = 12): Promise<OngoingTable[]> {
  const tables = await Promise.all(
    rememberedTables()
      .slice(0, most)
      .map(({ id }) => inspectTable(id)),
  );
  return tables.filter((table) => table !== null).sort((table, b) => Number(b.mine) - Number(table.mine));
}
