/** The views and events of a table for each seat, made from the hidden state only. The same as
 *  `src/sixfold/table/views.py`. */
import { encodePosition, stepsOf, type Bots, type EncodedPosition, type State } from '../rules';
import { decisionOf, gameAt } from '../lib/decision';
import type { EventShown, Position, Replay, SetupShown, TableView, View, ViewMessage } from '../lib/types';
import { due, takeBackWhy, undoWhy } from './actions';
import type { Table } from './table';

const reasonOf = (key: string | null): View['undo_why'] => (key === null ? null : { key, words: {} });

export function publicSetup(table: Table): SetupShown {
  const { from, ...setup } = table.setup;
  void from; // must not be sent: it may contain hidden items
  return { ...setup, hints: table.hints };
}

/** The whole table as a seat may know it. */
export function viewFor(table: Table, seat: number): View {
  const { rules, game } = table;
  const undoReason = game && undoWhy(table, seat);
  const shown: TableView = {
    version: table.version,
    setup: publicSetup(table),
    stage: table.stage,
    seats: table.seats,
    seat,
    turn: table.turn,
    round: table.roundsBegun,
    starters: table.starters,
    commitment: table.commitment,
    turn_began: table.turnBegan,
    due: due(table),
    result: table.result,
    totals: table.totals,
    order: game && table.seats.map((_, index) => table.seatOf(index)),
    bonus: table.bonus,
    undo: game !== null && undoReason === null && table.undoable(seat),
    undo_why: reasonOf(undoReason),
    take_back: null,
    take_back_why: reasonOf(game && takeBackWhy(table, seat)),
    last: game && lastMoveFor(table, seat),
  };
  if (!game) return { ...shown, decision: null };
  const player = table.playerOf(seat);
  return { ...shown, decision: decisionOf(rules, rules.hide(game.state, player), player, gameAt(shown)) };
}

/** The same as a server sends it. */
export function messageFor(table: Table, seat: number): ViewMessage {
  const { decision, ...view } = viewFor(table, seat);
  const { position = null, legal = [], previews = [], earned = [], lines = {}, reach = [] } = decision ?? {};
  return { ...view, position, legal, previews, earned, lines, reach };
}

/** The last public move of this round. */
function lastMoveFor(table: Table, seat: number): EventShown | null {
  for (let version = table.log.length; version > table.roundStartVersion; version--)
    if (table.log[version - 1]!.event.type === 'move') return eventFor(table, version, seat);
  return null;
}

/** One event as a seat sees it, with hidden tiles and cards as `??`. */
export function eventFor(table: Table, version: number, seat: number): EventShown {
  const { event, publicEvent, first } = table.log[version - 1]!;
  const { length } = table.seats;
  const player = (seat - first + length) % length;
  const maskLines = (lines: string[]): string[] =>
    lines.map((line) => table.rules.maskEvent(table.dealt, line, player));
  const shownEvent: EventShown = { ...publicEvent, ...(event.id && { id: event.id }) };
  if (event.type === 'keep' && seat !== event.seat) {
    // T16, C13: a declined choice is secret; the others see only the draw, as after any turn.
    const line = { key: 'log_draw', words: { name: publicEvent.line.words.name! } };
    const { at } = event;
    return { type: 'draw', version, at, seat: event.seat, line, events: maskLines(event.events.slice(1)) };
  }
  if (event.type === 'make') shownEvent.setup = publicSetup(table);
  if ('events' in event) shownEvent.events = maskLines(event.events);
  if ('deal' in event && event.deal) {
    shownEvent.deal = maskLines(event.deal);
    if (event.start) shownEvent.start = { ...event.start };
  }
  return shownEvent;
}

/** A finished round step by step, with everything open. */
export function replayOf(table: Table, round: number): Replay {
  const { rules } = table;
  const record = table.records[round - 1]!;
  return {
    game: table.setup.game,
    round,
    rounds: table.records.length,
    names: record.names,
    bots: record.bots,
    resigned: record.resigned ?? [],
    places: record.result?.places ?? null,
    steps: replaySteps(rules, rules.start(record.players, record.options), record.events),
    commitment: record.shuffle?.commitment ?? '',
    key: record.shuffle?.key ?? '',
  };
}

/** The steps of a record with everything open, each ending at a decision. */
export const replaySteps = (rules: Bots, start: State, events: string[]): Replay['steps'] =>
  stepsOf(rules, start, events).map(({ state, ...step }) => ({
    ...step,
    position: encodePosition<EncodedPosition>(rules, state, null) as Position,
    reach: rules.reach(state),
  }));
