/** Turns an action into events or refuses it with a reason; the table itself is not changed here. The same
 *  as `src/sixfold/table/actions.py`, for players who share one device. */
import rules from '../../../src/sixfold/table/actions.json';
import type { ActionRequest } from '../table/presentation.svelte';
import type { SeatShown } from '../lib/types';
import { applyEvent, RefusalError } from '../rules';
import { REACTIONS } from '../lib/types';
import type { Event, MoveEvent } from './events';
import { commitment, roundKey, resolveChance, startSeat } from './shuffle';
import { hex } from './sha256';
import { plays, type RoundState, type Step, type Table } from './table';
import { decodeState } from './values';

/** An action that the table does not allow. */
export class ActionRefused extends RefusalError {
  constructor(key: string, words: Record<string, string> = {}, clause = 'table') {
    super(key, words, clause);
  }
}

/** What an action needs; see `src/sixfold/table/actions.py`. */
interface ActionRule {
  stages: string[] | null;
  turn: boolean;
  refused: Record<string, string>;
}
const RULES: Record<string, ActionRule> = rules as unknown as Record<string, ActionRule>;

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

/** The seat that acts: the one named, the one in turn, or the first person's. */
function ownSeat({ table, action, bot }: ActionContext): number {
  if (bot !== undefined) return bot;
  const { people, turn } = table;
  if (action.seat == null) return turn !== null && people.includes(turn) ? turn : people[0]!;
  if (!people.includes(action.seat)) throw new ActionRefused('not_your_seat', { seat: String(action.seat) });
  return action.seat;
}

const ACTIONS: Record<string, (context: ActionContext) => Step[]> = {
  start,
  move,
  undo: (context) => {
    const seat = ownSeat(context);
    const why = undoWhy(context.table, seat);
    if (why !== null || !context.table.undoable(seat)) throw new ActionRefused(why ?? 'no_undo');
    return [{ event: { type: 'undo', seat, ...stamp(context) } }];
  },
  take_back: (context) => {
    const seat = ownSeat(context);
    const why = takeBackWhy(context.table, seat);
    if (why !== null) throw new ActionRefused(why);
    return [{ event: { type: 'take_back', seat, ...stamp(context) } }];
  },
  resign: (context) => {
    const seat = ownSeat(context);
    const key = revealKeyIfOver(context.table, seat, context.secret);
    return [{ event: { type: 'resign', seat, ...key, ...stamp(context) } }];
  },
  ready,
  back: (context) => {
    const seat = ownSeat(context);
    if (!context.table.seats[seat]!.relieved) throw new ActionRefused('not_away');
    return [{ event: { type: 'back', seat, ...stamp(context) } }];
  },
  react: (context) => {
    const reaction = context.action.reaction ?? '';
    if (!(REACTIONS as readonly string[]).includes(reaction))
      throw new ActionRefused('no_reaction', { reactions: REACTIONS.join(', ') });
    return [{ event: { type: 'react', seat: ownSeat(context), reaction, ...stamp(context) } }];
  },
};

/** The events that an action becomes, mostly one; all of them are kept or none. */
export function decide(context: ActionContext): Step[] {
  const { table, action, bot } = context;
  const doneVersion = action.id && table.done.get(action.id);
  if (doneVersion) throw new ActionRefused('already_done', { version: String(doneVersion) });
  if (bot === undefined && action.version != null && action.version < table.lastDecisionVersion)
    throw new ActionRefused('stale', { version: String(table.version) });
  const handler = ACTIONS[action.do];
  if (!handler) throw new ActionRefused('no_action', { actions: Object.keys(ACTIONS).join(', ') });
  check(context, RULES[action.do]!);
  return handler(context);
}

/** Refuse an action at the wrong stage, out of turn, or from a seat in the wrong state. */
function check(context: ActionContext, { stages, turn, refused }: ActionRule): void {
  const { table, bot } = context;
  if (stages && !stages.includes(table.stage)) throw new ActionRefused(`stage_${table.stage}`);
  const seat = ownSeat(context);
  if (turn && seat !== table.turn)
    throw new ActionRefused('other_turn', { name: table.seats[table.turn ?? 0]!.name });
  if (bot !== undefined) return;
  for (const [state, key] of Object.entries(refused))
    if (table.seats[seat]![state as keyof SeatShown]) throw new ActionRefused(key);
}

// Time

/** When the running clock expires; null if none runs. */
export function due(table: Table): number | null {
  const { turn, setup } = table;
  if (turn === null || table.deserted || table.botToMove || setup.clock === 'none') return null;
  return table.turnBegan + (setup.clock === 'move' ? setup.seconds * 1000 : table.seats[turn]!.time_left);
}

/** The events of an expired clock; usually none. */
export function tick(table: Table, at: number, secret: Uint8Array): Step[] {
  const dueAt = due(table);
  if (dueAt === null || at < dueAt) return [];
  const seat = table.turn!;
  if (table.setup.clock === 'game')
    return [{ event: { type: 'time', at, seat, ...revealKeyIfOver(table, seat, secret) } }];
  // T16, C13: a player who runs out of time draws as usual; a takeover here would reveal that there was a choice.
  const { rules, game } = table;
  if (rules.choosing(game!.state)) return choose(table, seat, game!, rules.about.choices[0]!, { at }, secret);
  return [{ event: { type: 'takeover', at, seat } }];
}

// Playing

function start(context: ActionContext): Step[] {
  const { table, secret } = context;
  const startEvent = { type: 'start', seat: ownSeat(context), ...stamp(context) } as const;
  if (table.setup.first !== null)
    return [{ event: { ...startEvent, first: table.setup.first, deal: deal(table, secret) } }];
  const startDraw = { seats: table.seats.length, seat: startSeat(roundKey(secret, 0), table.seats.length) };
  return [{ event: { ...startEvent, first: startDraw.seat, start: startDraw, deal: deal(table, secret) } }];
}

/** T4, C3, C4, D3: what chance does at the start of the next round, or in a position that is played on from. */
function deal(table: Table, secret: Uint8Array): string[] {
  const { players, options, from } = table.setup;
  const state = from && !table.roundsBegun ? decodeState(from.state) : table.rules.start(players, options);
  return resolveChance(table.rules, state, roundKey(secret, table.roundsBegun), 0).lines;
}

function move(context: ActionContext): Step[] {
  const { table, action, secret } = context;
  const seat = ownSeat(context);
  const game = table.game!;
  const text = action.move ?? '';
  if (table.rules.choosing(game.state)) return choose(table, seat, game, text, stamp(context), secret);
  const steps = play(table, seat, game, text, stamp(context), secret);
  return action.then == null
    ? steps
    : [...steps, ...playPrechosen(context, seat, steps.at(-1)!.game!, action.then)];
}

/** T16, C13: a choice made together with the move, so that no pause reveals that there was a choice. */
function playPrechosen(context: ActionContext, seat: number, game: RoundState, then: string): Step[] {
  const { table, secret } = context;
  const { choices } = table.rules.about;
  if (!choices.includes(then))
    throw new ActionRefused('not_a_move', { example: choices.join(' / ') }, 'record');
  const { id, ...rest } = stamp(context);
  void id; // belongs to the move
  if (table.rules.choosing(game.state)) return choose(table, seat, game, then, rest, secret);
  const why = then !== choices[0] && table.rules.refusal(game.state, table.rules.notation.number(then)!);
  if (why) throw new ActionRefused(why.key, why.words, why.clause);
  return [];
}

/** The game after a move, or the reason why it cannot be played. */
function applyMove(
  { rules }: Table,
  { state, lines }: RoundState,
  text: string,
): { after: RoundState; line: string; move: number } {
  if (rules.notation.number(text) === null)
    throw new ActionRefused('not_a_move', { example: rules.about.example }, 'record');
  const line = `${rules.turn(state)} ${text}`;
  const applied = applyEvent(rules, state, line);
  return { after: { state: applied.state, lines: [...lines, line] }, line, move: applied.move! };
}

type Stamp = ReturnType<typeof stamp>;

/** A decision and the chance events after it: dice join its event, hidden items at the end of a turn get their own. */
function play(
  table: Table,
  seat: number,
  game: RoundState,
  text: string,
  stamp: Stamp,
  secret: Uint8Array,
): Step[] {
  const { after, line, move } = applyMove(table, game, text);
  const event: MoveEvent = { type: 'move', seat, events: [line], ...stamp };
  if (table.rules.over(after.state))
    return [{ event: { ...event, ...revealKey(table, secret) }, game: after, move }];
  const { lines, settled } = settle(table, after, secret);
  if (!lines.length || !table.rules.isHiddenChance(lines[0]!))
    return [{ event: { ...event, events: [line, ...lines] }, game: settled, move }];
  const draw: Event = { type: 'draw', at: stamp.at, seat, events: lines };
  return [
    { event, game: after, move },
    { event: draw, game: settled },
  ];
}

/** T16, C13: a choice. To all other players, declining it looks like a plain draw. */
function choose(
  table: Table,
  seat: number,
  game: RoundState,
  text: string,
  stamp: Stamp,
  secret: Uint8Array,
): Step[] {
  if (text !== table.rules.about.choices[0]) return play(table, seat, game, text, stamp, secret);
  const { after, line, move } = applyMove(table, game, text);
  const { lines, settled } = settle(table, after, secret);
  return [{ event: { type: 'keep', seat, events: [line, ...lines], ...stamp }, game: settled, move }];
}

/** The game after all pending chance events of the present round, and those events. */
function settle(
  table: Table,
  game: RoundState,
  secret: Uint8Array,
): { lines: string[]; settled: RoundState } {
  const key = roundKey(secret, table.roundsBegun - 1);
  const { state, lines } = resolveChance(table.rules, game.state, key, table.drawnItems);
  return { lines, settled: { state, lines: [...game.lines, ...lines] } };
}

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
function ready(context: ActionContext): Step[] {
  const { table, secret } = context;
  const seat = ownSeat(context);
  if (table.seats[seat]!.resigned && table.stage === 'between') throw new ActionRefused('resigned');
  const event = { type: 'ready', seat, ...stamp(context) } as const;
  const someoneNotReady = table.seats.some(
    (candidate, number) =>
      number !== seat &&
      candidate.kind === 'person' &&
      !candidate.ready &&
      (table.stage === 'over' || !candidate.resigned),
  );
  if (someoneNotReady) return [{ event }];
  const step = table.stage === 'over' ? 1 : (table.points?.length ?? 0);
  const first = (table.matchFirst + step) % table.seats.length;
  return [{ event: { ...event, first, deal: deal(table, secret) } }];
}
