/** From an action to the events that it becomes, or to the reason why not; the table itself is not changed here. The same
 *  as `src/sixfold/table/actions.py`, where everybody shares one device. */
import type { Wanted } from '../lib/showing.svelte';
import type { SeatShown } from '../lib/types';
import { REACTIONS } from '../lib/types';
import type { Event, Move } from './events';
import { commitment, roundKey, settle, startSeat } from './shuffle';
import { hex } from './sha256';
import type { Game, Table } from './table';
import { plays } from './table';
import { stateFrom } from './values';

/** Why not: a sentence's key, the clause, and the words that fill it. */
export class NotSo extends Error {
  constructor(
    readonly key: string,
    readonly words: Record<string, string> = {},
    readonly clause = 'table',
  ) {
    super(key);
  }
}

interface Asked {
  table: Table;
  secret: Uint8Array;
  action: Wanted;
  at: number;
  /** A bot decides for this seat. */
  bot?: number;
}

const who = ({ at, action, bot }: Asked): { at: number; id?: string; bot?: boolean } =>
  bot !== undefined ? { at, bot: true } : { at, ...(action.id && { id: action.id }) };

const inStage = (table: Table, ...stages: string[]): void => {
  if (!stages.includes(table.stage)) throw new NotSo(`stage_${table.stage}`);
};

/** The seat that acts: the one named, the one in turn, or the first person's. */
function ownSeat({ table, action, bot }: Asked): number {
  if (bot !== undefined) return bot;
  const { people, turn } = table;
  if (action.seat == null) return turn !== null && people.includes(turn) ? turn : people[0]!;
  if (!people.includes(action.seat)) throw new NotSo('not_your_seat', { seat: String(action.seat) });
  return action.seat;
}

const ACTIONS: Record<string, (asked: Asked) => Event[]> = {
  start,
  move,
  undo: (asked) => {
    inStage(asked.table, 'playing');
    const seat = ownSeat(asked);
    stillPlaying(asked.table.seats[seat]!);
    const why = undoWhy(asked.table, seat);
    if (why !== null || !asked.table.undoable(seat)) throw new NotSo(why ?? 'no_undo');
    return [{ type: 'undo', seat, ...who(asked) }];
  },
  take_back: (asked) => {
    const seat = ownSeat(asked);
    const why = takeBackWhy(asked.table, seat);
    if (why !== null) throw new NotSo(why);
    return [{ type: 'take_back', seat, ...who(asked) }];
  },
  resign: (asked) => {
    inStage(asked.table, 'playing');
    const seat = ownSeat(asked);
    if (asked.table.seats[seat]!.resigned) throw new NotSo('resigned');
    return [{ type: 'resign', seat, ...givingUp(asked.table, seat, asked.secret), ...who(asked) }];
  },
  ready,
  back: (asked) => {
    const seat = ownSeat(asked);
    if (!asked.table.seats[seat]!.relieved) throw new NotSo('not_away');
    return [{ type: 'back', seat, ...who(asked) }];
  },
  react: (asked) => {
    const reaction = asked.action.reaction ?? '';
    if (!(REACTIONS as readonly string[]).includes(reaction))
      throw new NotSo('no_reaction', { reactions: REACTIONS.join(', ') });
    return [{ type: 'react', seat: ownSeat(asked), reaction, ...who(asked) }];
  },
};

/** The events that an action becomes, mostly one; all of them are kept or none. */
export function decide(asked: Asked): Event[] {
  const { table, action, bot } = asked;
  const known = action.id && table.done.get(action.id);
  if (known) throw new NotSo('already_done', { version: String(known) });
  if (bot === undefined && action.version != null && action.version < table.changed)
    throw new NotSo('stale', { version: String(table.version) });
  const act = ACTIONS[action.do];
  if (!act) throw new NotSo('no_action', { actions: Object.keys(ACTIONS).join(', ') });
  return act(asked);
}

// Time

/** When something happens by itself: a clock runs out. */
export function due(table: Table): number | null {
  const { turn, setup } = table;
  if (turn === null || table.deserted || table.botToMove || setup.clock === 'none') return null;
  return table.turnBegan + (setup.clock === 'move' ? setup.seconds * 1000 : table.seats[turn]!.time_left);
}

/** What a time that has come brings with it; mostly nothing. */
export function tick(table: Table, at: number, secret: Uint8Array): Event[] {
  const when = due(table);
  if (when === null || at < when) return [];
  const seat = table.turn!;
  if (table.setup.clock === 'game') return [{ type: 'time', at, seat, ...givingUp(table, seat, secret) }];
  // T16, C13: who says nothing draws as usual; that a bot took over now would tell that there was a choice.
  if (table.choosing) return choose(table, seat, table.rules.about.choices[0]!, { at }, secret);
  return [{ type: 'takeover', at, seat }];
}

// Playing

function start(asked: Asked): Event[] {
  const { table, secret } = asked;
  inStage(table, 'open');
  const begin = { type: 'start', seat: ownSeat(asked), ...who(asked) } as const;
  if (table.setup.first !== null) return [{ ...begin, first: table.setup.first, deal: deal(table, secret) }];
  const drawn = { seats: table.seats.length, seat: startSeat(roundKey(secret, 0), table.seats.length) };
  return [{ ...begin, first: drawn.seat, start: drawn, deal: deal(table, secret) }];
}

/** T4, C3, C4, D3: what chance does at the start of the next round, or in a position that is played on from. */
function deal(table: Table, secret: Uint8Array): string[] {
  const { players, options, from } = table.setup;
  const begin = from && !table.roundsBegun ? stateFrom(from.state) : table.rules.start(players, options);
  return settle(table.rules, begin, roundKey(secret, table.roundsBegun), 0).lines;
}

function stillPlaying(seat: SeatShown): void {
  if (seat.resigned) throw new NotSo('resigned');
  if (seat.relieved) throw new NotSo('relieved');
}

function move(asked: Asked): Event[] {
  const { table, action, secret, bot } = asked;
  inStage(table, 'playing');
  const seat = ownSeat(asked);
  if (seat !== table.turn) throw new NotSo('other_turn', { name: table.seats[table.turn ?? 0]!.name });
  if (bot === undefined) stillPlaying(table.seats[seat]!);
  const text = action.move ?? '';
  return (table.choosing ? choose : play)(table, seat, text, who(asked), secret);
}

/** The game after a move, or the reason why it cannot be played. */
function after({ rules, game }: Table, text: string): { game: Game; line: string } {
  const { state, lines } = game!;
  const number = rules.spelling.number(text);
  if (number === null) throw new NotSo('not_a_move', { example: rules.about.example }, 'record');
  const why = rules.refusal(state, number);
  if (why) throw new NotSo(why.key, why.words, why.clause);
  const line = `${rules.turn(state)} ${text}`;
  return { game: { state: rules.act(state, number), lines: [...lines, line] }, line };
}

type Who = ReturnType<typeof who>;

/** A decision, and what chance does then: dice belong to it, what is drawn at the end of a turn stands by itself. */
function play(table: Table, seat: number, text: string, by: Who, secret: Uint8Array): Event[] {
  const { game, line } = after(table, text);
  const event: Move = { type: 'move', seat, events: [line], ...by };
  if (table.rules.over(game.state)) return [{ ...event, ...shownKey(table, secret) }];
  const { lines } = chance(table, game, secret);
  if (!lines[0]?.startsWith('draw ')) return [{ ...event, events: [line, ...lines] }];
  return [event, { type: 'draw', at: by.at, seat, events: lines }];
}

/** T16, C13: a choice. Whoever declines it has just drawn, for everybody else. */
function choose(table: Table, seat: number, text: string, by: Who, secret: Uint8Array): Event[] {
  if (text !== table.rules.about.choices[0]) return play(table, seat, text, by, secret);
  const { game, line } = after(table, text);
  return [{ type: 'keep', seat, events: [line, ...chance(table, game, secret).lines], ...by }];
}

/** What chance supplies in the present round, if it owes anything. */
const chance = (table: Table, { state }: Game, secret: Uint8Array): { lines: string[] } =>
  settle(table.rules, state, roundKey(secret, table.roundsBegun - 1), table.drawn);

/** The round is over: its key is shown, and the next one committed to. */
const shownKey = (table: Table, secret: Uint8Array): { key: string; commitment: string } => ({
  key: hex(roundKey(secret, table.roundsBegun - 1)),
  commitment: commitment(roundKey(secret, table.roundsBegun)),
});

const givingUp = (table: Table, seat: number, secret: Uint8Array): Partial<ReturnType<typeof shownKey>> =>
  table.endsWithout(seat) ? shownKey(table, secret) : {};

// Going back

/** Why a seat cannot undo: the key of a sentence; null where it can, or where it is not its affair. */
export function undoWhy(table: Table, seat: number): string | null {
  if (table.stage !== 'playing' || !plays(table.seats[seat]!)) return null;
  const last = table.decisions.at(-1);
  if (!last || last.seat !== seat || last.byBot) return table.turn === seat ? 'undo_nothing' : null;
  if (last.final) return 'undo_revealed';
  return table.undoable(seat) ? null : 'no_undo';
}

/** Why a seat cannot take its last decision back. */
export function takeBackWhy(table: Table, seat: number): string | null {
  if (table.stage !== 'playing') return `stage_${table.stage}`;
  if (!plays(table.seats[seat]!)) return 'back_not_playing';
  return table.ownLast(seat) < 0 ? 'back_nothing' : null;
}

// Between rounds

/** The next round or a rematch begins when everybody has agreed. */
function ready(asked: Asked): Event[] {
  const { table, secret } = asked;
  inStage(table, 'between', 'over');
  const seat = ownSeat(asked);
  if (table.seats[seat]!.ready) throw new NotSo('ready_already');
  if (table.seats[seat]!.resigned && table.stage === 'between') throw new NotSo('resigned');
  const event = { type: 'ready', seat, ...who(asked) } as const;
  const waits = table.seats.some(
    (other, number) =>
      number !== seat &&
      other.kind === 'person' &&
      !other.ready &&
      (table.stage === 'over' || !other.resigned),
  );
  if (waits) return [event];
  const step = table.stage === 'over' ? 1 : (table.points?.length ?? 0);
  return [{ ...event, first: (table.matchFirst + step) % table.seats.length, deal: deal(table, secret) }];
}
