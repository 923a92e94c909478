/** Turns an action into events or refuses it with a reason; the table itself is not changed here. The same
 *  as `src/sixfold/table/actions.py`, for players who share one device. */
import type { ActionRequest } from '../table/presentation.svelte';
import type { SeatShown } from '../lib/types';
import { REACTIONS } from '../lib/types';
import type { Event, MoveEvent } from './events';
import { commitment, roundKey, resolveChance, startSeat } from './shuffle';
import { hex } from './sha256';
import type { RoundState, Table } from './table';
import { plays } from './table';
import { decodeState } from './values';

/** A refusal: a sentence's key, the words that fill it, and the clause. */
export class ActionRefused extends Error {
  constructor(
    readonly key: string,
    readonly words: Record<string, string> = {},
    readonly clause = 'table',
  ) {
    super(key);
  }
}

interface ActionContext {
  table: Table;
  secret: Uint8Array;
  action: ActionRequest;
  at: number;
  /** A bot decides for this seat. */
  bot?: number;
}

const stamp = ({ at, action, bot }: ActionContext): { at: number; id?: string; bot?: boolean } =>
  bot !== undefined ? { at, bot: true } : { at, ...(action.id && { id: action.id }) };

const requireStage = (table: Table, ...stages: string[]): void => {
  if (!stages.includes(table.stage)) throw new ActionRefused(`stage_${table.stage}`);
};

/** The seat that acts: the one named, the one in turn, or the first person's. */
function ownSeat({ table, action, bot }: ActionContext): number {
  if (bot !== undefined) return bot;
  const { people, turn } = table;
  if (action.seat == null) return turn !== null && people.includes(turn) ? turn : people[0]!;
  if (!people.includes(action.seat)) throw new ActionRefused('not_your_seat', { seat: String(action.seat) });
  return action.seat;
}

const ACTIONS: Record<string, (context: ActionContext) => Event[]> = {
  start,
  move,
  undo: (context) => {
    requireStage(context.table, 'playing');
    const seat = ownSeat(context);
    requirePlaying(context.table.seats[seat]!);
    const why = undoWhy(context.table, seat);
    if (why !== null || !context.table.undoable(seat)) throw new ActionRefused(why ?? 'no_undo');
    return [{ type: 'undo', seat, ...stamp(context) }];
  },
  take_back: (context) => {
    const seat = ownSeat(context);
    const why = takeBackWhy(context.table, seat);
    if (why !== null) throw new ActionRefused(why);
    return [{ type: 'take_back', seat, ...stamp(context) }];
  },
  resign: (context) => {
    requireStage(context.table, 'playing');
    const seat = ownSeat(context);
    if (context.table.seats[seat]!.resigned) throw new ActionRefused('resigned');
    return [
      { type: 'resign', seat, ...revealKeyIfOver(context.table, seat, context.secret), ...stamp(context) },
    ];
  },
  ready,
  back: (context) => {
    const seat = ownSeat(context);
    if (!context.table.seats[seat]!.relieved) throw new ActionRefused('not_away');
    return [{ type: 'back', seat, ...stamp(context) }];
  },
  react: (context) => {
    const reaction = context.action.reaction ?? '';
    if (!(REACTIONS as readonly string[]).includes(reaction))
      throw new ActionRefused('no_reaction', { reactions: REACTIONS.join(', ') });
    return [{ type: 'react', seat: ownSeat(context), reaction, ...stamp(context) }];
  },
};

/** The events that an action becomes, mostly one; all of them are kept or none. */
export function decide(context: ActionContext): Event[] {
  const { table, action, bot } = context;
  const doneVersion = action.id && table.done.get(action.id);
  if (doneVersion) throw new ActionRefused('already_done', { version: String(doneVersion) });
  if (bot === undefined && action.version != null && action.version < table.lastDecisionVersion)
    throw new ActionRefused('stale', { version: String(table.version) });
  const handler = ACTIONS[action.do];
  if (!handler) throw new ActionRefused('no_action', { actions: Object.keys(ACTIONS).join(', ') });
  return handler(context);
}

// Time

/** When the running clock expires; null if none runs. */
export function due(table: Table): number | null {
  const { turn, setup } = table;
  if (turn === null || table.deserted || table.botToMove || setup.clock === 'none') return null;
  return table.turnBegan + (setup.clock === 'move' ? setup.seconds * 1000 : table.seats[turn]!.time_left);
}

/** The events of an expired clock; usually none. */
export function tick(table: Table, at: number, secret: Uint8Array): Event[] {
  const dueAt = due(table);
  if (dueAt === null || at < dueAt) return [];
  const seat = table.turn!;
  if (table.setup.clock === 'game')
    return [{ type: 'time', at, seat, ...revealKeyIfOver(table, seat, secret) }];
  // T16, C13: a player who runs out of time draws as usual; a takeover here would reveal that there was a choice.
  if (table.choosing) return choose(table, seat, table.rules.about.choices[0]!, { at }, secret);
  return [{ type: 'takeover', at, seat }];
}

// Playing

function start(context: ActionContext): Event[] {
  const { table, secret } = context;
  requireStage(table, 'open');
  const startEvent = { type: 'start', seat: ownSeat(context), ...stamp(context) } as const;
  if (table.setup.first !== null)
    return [{ ...startEvent, first: table.setup.first, deal: deal(table, secret) }];
  const startDraw = { seats: table.seats.length, seat: startSeat(roundKey(secret, 0), table.seats.length) };
  return [{ ...startEvent, first: startDraw.seat, start: startDraw, deal: deal(table, secret) }];
}

/** T4, C3, C4, D3: what chance does at the start of the next round, or in a position that is played on from. */
function deal(table: Table, secret: Uint8Array): string[] {
  const { players, options, from } = table.setup;
  const state = from && !table.roundsBegun ? decodeState(from.state) : table.rules.start(players, options);
  return resolveChance(table.rules, state, roundKey(secret, table.roundsBegun), 0).lines;
}

function requirePlaying(seat: SeatShown): void {
  if (seat.resigned) throw new ActionRefused('resigned');
  if (seat.relieved) throw new ActionRefused('relieved');
}

function move(context: ActionContext): Event[] {
  const { table, action, secret, bot } = context;
  requireStage(table, 'playing');
  const seat = ownSeat(context);
  if (seat !== table.turn)
    throw new ActionRefused('other_turn', { name: table.seats[table.turn ?? 0]!.name });
  if (bot === undefined) requirePlaying(table.seats[seat]!);
  const text = action.move ?? '';
  return (table.choosing ? choose : play)(table, seat, text, stamp(context), secret);
}

/** The game after a move, or the reason why it cannot be played. */
function applyMove({ rules, game }: Table, text: string): { game: RoundState; line: string } {
  const { state, lines } = game!;
  const number = rules.notation.number(text);
  if (number === null) throw new ActionRefused('not_a_move', { example: rules.about.example }, 'record');
  const why = rules.refusal(state, number);
  if (why) throw new ActionRefused(why.key, why.words, why.clause);
  const line = `${rules.turn(state)} ${text}`;
  return { game: { state: rules.act(state, number), lines: [...lines, line] }, line };
}

type Stamp = ReturnType<typeof stamp>;

/** A decision, and what chance does then: dice belong to it, what is drawn at the end of a turn stands by itself. */
function play(table: Table, seat: number, text: string, stamp: Stamp, secret: Uint8Array): Event[] {
  const { game, line } = applyMove(table, text);
  const event: MoveEvent = { type: 'move', seat, events: [line], ...stamp };
  if (table.rules.over(game.state)) return [{ ...event, ...revealKey(table, secret) }];
  const { lines } = chanceLines(table, game, secret);
  if (!lines[0]?.startsWith('draw ')) return [{ ...event, events: [line, ...lines] }];
  return [event, { type: 'draw', at: stamp.at, seat, events: lines }];
}

/** T16, C13: a choice. To all other players, declining it looks like a plain draw. */
function choose(table: Table, seat: number, text: string, stamp: Stamp, secret: Uint8Array): Event[] {
  if (text !== table.rules.about.choices[0]) return play(table, seat, text, stamp, secret);
  const { game, line } = applyMove(table, text);
  return [{ type: 'keep', seat, events: [line, ...chanceLines(table, game, secret).lines], ...stamp }];
}

/** What chance supplies in the present round, if it owes anything. */
const chanceLines = (table: Table, { state }: RoundState, secret: Uint8Array): { lines: string[] } =>
  resolveChance(table.rules, state, roundKey(secret, table.roundsBegun - 1), table.drawnItems);

/** The round is over: its key is shown, and the next one committed to. */
const revealKey = (table: Table, secret: Uint8Array): { key: string; commitment: string } => ({
  key: hex(roundKey(secret, table.roundsBegun - 1)),
  commitment: commitment(roundKey(secret, table.roundsBegun)),
});

const revealKeyIfOver = (
  table: Table,
  seat: number,
  secret: Uint8Array,
): Partial<ReturnType<typeof revealKey>> => (table.endsWithout(seat) ? revealKey(table, secret) : {});

// Going back

/** Why a seat cannot undo: the key of a sentence; null where it can, or where it is not its affair. */
export function undoWhy(table: Table, seat: number): string | null {
  if (table.stage !== 'playing' || !plays(table.seats[seat]!)) return null;
  const lastDecision = table.decisions.at(-1);
  if (!lastDecision || lastDecision.seat !== seat || lastDecision.byBot)
    return table.turn === seat ? 'undo_nothing' : null;
  if (lastDecision.isFinal) return 'undo_revealed';
  return table.undoable(seat) ? null : 'no_undo';
}

/** Why a seat cannot take its last decision back. */
export function takeBackWhy(table: Table, seat: number): string | null {
  if (table.stage !== 'playing') return `stage_${table.stage}`;
  if (!plays(table.seats[seat]!)) return 'back_not_playing';
  return table.lastOwnDecision(seat) < 0 ? 'back_nothing' : null;
}

// Between rounds

/** The next round or a rematch begins when all players are ready. */
function ready(context: ActionContext): Event[] {
  const { table, secret } = context;
  requireStage(table, 'between', 'over');
  const seat = ownSeat(context);
  if (table.seats[seat]!.ready) throw new ActionRefused('ready_already');
  if (table.seats[seat]!.resigned && table.stage === 'between') throw new ActionRefused('resigned');
  const event = { type: 'ready', seat, ...stamp(context) } as const;
  const someoneNotReady = table.seats.some(
    (candidate, number) =>
      number !== seat &&
      candidate.kind === 'person' &&
      !candidate.ready &&
      (table.stage === 'over' || !candidate.resigned),
  );
  if (someoneNotReady) return [event];
  const step = table.stage === 'over' ? 1 : (table.points?.length ?? 0);
  return [{ ...event, first: (table.matchFirst + step) % table.seats.length, deal: deal(table, secret) }];
}
