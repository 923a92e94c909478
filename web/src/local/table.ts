/** A table on this device: the state that follows from its events, as `src/sixfold/table` has it on a server. `apply` is
 *  the only way to change it; times are in the events. Everybody at it shares the device, or is a bot. */
import { gainedBy, moveOf, stateAfter, type Bots, type State } from '../rules';
import type { EventShown, ResultShown, SeatShown, View } from '../lib/types';
import type {
  Event,
  KeepEvent,
  RoundStartEvent,
  RoundEndEvent,
  MoveEvent,
  RoundRecord,
  Setup,
} from './events';
import { itemsDrawn } from './shuffle';
import { decodeState } from './values';

/** A round's game: where it stands, and the events so far. */
export interface RoundState {
  state: State;
  lines: string[];
}

/** An event, with the game after it and its move where these are known already. */
export interface Step {
  event: Event;
  game?: RoundState;
  move?: number;
}

/** A decision with the game before it, so that the table can go back there. */
export interface DecisionPoint {
  seat: number;
  game: RoundState;
  drawnItems: number;
  began: number;
  bonus: boolean;
  /** Something was drawn or rolled, or the turn passed. */
  isFinal: boolean;
  isDeclined: boolean;
  byBot: boolean;
}

export interface LogEntry {
  event: Event;
  /** The seat that was player 0 then. */
  first: number;
  /** The event as all players see it, before hidden items are masked. */
  publicEvent: EventShown;
}

/** The fields of an event that are public as they are. */
const PUBLIC_FIELDS = [
  'at',
  'seat',
  'reaction',
  'first',
  'commitment',
  'key',
  'milliseconds',
  'bot',
] as const;
const DECISION_EVENTS = new Set(['move', 'draw', 'keep', 'undo', 'take_back']);

export const plays = (seat: SeatShown): boolean =>
  seat.kind === 'person' && !seat.left && !seat.relieved && !seat.resigned;

export class Table {
  version = 0;
  stage: View['stage'] = 'open';
  setup!: Setup;
  seats: SeatShown[] = [];
  game: RoundState | null = null;
  /** Items that chance has supplied in the present round. */
  drawnItems = 0;
  first = 0;
  matchFirst = 0;
  roundsBegun = 0;
  /** C17, D14: points by round and seat; null where there is no series. */
  points: number[][] | null = null;
  commitment = '';
  start: { seats: number; seat: number } | undefined;
  turn: number | null = null;
  turnBegan = 0;
  clockRenewed = false;
  /** The version that last changed what can be decided. */
  lastDecisionVersion = 0;
  result: ResultShown | null = null;
  /** By round, as far as there are records. */
  records: RoundRecord[] = [];
  log: LogEntry[] = [];
  roundStartVersion = 1;
  done = new Map<string, number>();
  /** The state after the deal of the present round, which says who sees what. */
  dealt: State = new Uint8Array();
  /** T13, C14: is the present turn a bonus turn? */
  bonus = false;
  decisions: DecisionPoint[] = [];
  undoFloor = 0;

  constructor(
    readonly rules: Bots,
    events: Event[] = [],
  ) {
    events.forEach((event) => this.apply({ event }));
  }

  // Who is who

  seatOf = (player: number): number => (player + this.first) % this.seats.length;
  playerOf = (seat: number): number =>
    (((seat - this.first) % this.seats.length) + this.seats.length) % this.seats.length;

  get people(): number[] {
    return this.seats.flatMap(({ kind }, seat) => (kind === 'person' ? [seat] : []));
  }

  /** Have all people resigned or been replaced by a bot? Then the table is paused. */
  get deserted(): boolean {
    return !this.seats.some(plays);
  }

  /** The seat in turn and its level, if a bot has to decide for it. */
  get botToMove(): { seat: number; level: string } | null {
    if (this.turn === null || this.deserted) return null;
    const seat = this.seats[this.turn]!;
    if (seat.kind === 'bot') return { seat: this.turn, level: seat.level };
    return seat.relieved || seat.resigned ? { seat: this.turn, level: this.setup.deputy } : null;
  }

  /** Does the round end if this seat resigns, because no opponent or no person is left? */
  endsWithout(seat: number): boolean {
    const remaining = this.seats.filter((candidate, number) => number !== seat && !candidate.resigned);
    return remaining.length === 1 || !remaining.some(({ kind }) => kind === 'person');
  }

  /** May bots advise here? Where nothing was agreed, only if all others are bots. */
  get hints(): boolean {
    return this.setup.hints ?? this.people.length <= 1;
  }

  /** C17, D14: the seat that begins each round, as far as it is known. */
  get starters(): number[] {
    const firstSeat = this.roundsBegun ? this.matchFirst : this.setup.first;
    if (firstSeat === null) return [];
    return Array.from({ length: this.setup.rounds }, (_, number) => (firstSeat + number) % this.seats.length);
  }

  get totals(): number[] | null {
    const { points } = this;
    return points && this.seats.map((_, seat) => points.reduce((sum, row) => sum + row[seat]!, 0));
  }

  // Going back

  /** Was the last decision this seat's own, and has nothing been revealed since? */
  undoable(seat: number): boolean {
    const last = this.decisions.at(-1);
    if (!last || this.decisions.length <= this.undoFloor) return false;
    return last.seat === seat && seat === this.turn && !last.isFinal && !last.byBot;
  }

  /** The index of a seat's last decision in this round, not counting a declined choice, which is secret; -1 if none. */
  lastOwnDecision(seat: number): number {
    return this.decisions.findLastIndex(
      (decision) => decision.seat === seat && !decision.byBot && !decision.isDeclined,
    );
  }

  #goBack(number: number): DecisionPoint {
    const decision = this.decisions[number]!;
    this.game = decision.game;
    this.decisions = this.decisions.slice(0, number);
    this.bonus = decision.bonus;
    this.drawnItems = decision.drawnItems;
    return decision;
  }

  // What happens

  /** Apply an event that was allowed when it was decided. */
  apply(step: Step): void {
    const { event } = step;
    const details = this.#applyToState(step);
    this.version++;
    const over = !this.game || this.stage !== 'playing' || this.rules.over(this.game.state);
    this.turn = over ? null : this.seatOf(this.rules.number(this.game!.state, 'turn'));
    const begins = 'deal' in event && event.deal !== undefined;
    const ends = 'key' in event && event.key !== undefined;
    if (DECISION_EVENTS.has(event.type) || begins || ends) this.lastDecisionVersion = this.version;
    if (event.id) this.done.set(event.id, this.version);
    this.log.push({ event, first: this.first, publicEvent: { ...this.#publicEvent(event), ...details } });
  }

  #publicEvent(event: Event): EventShown {
    const kind = event.type === 'keep' ? 'move' : event.type;
    const words: Record<string, string> = {};
    if ('seat' in event) words.name = this.seats[event.seat]!.name;
    if ('reaction' in event) words.reaction = event.reaction;
    if (event.type === 'move' || event.type === 'keep') words.move = moveOf(event.events[0]!);
    const fields = Object.entries(event).filter(([name]) =>
      (PUBLIC_FIELDS as readonly string[]).includes(name),
    );
    return {
      ...(Object.fromEntries(fields) as { at: number }),
      type: kind,
      version: this.version,
      line: { key: `log_${kind}`, words },
    };
  }

  #applyToState({ event, game, move }: Step): Partial<EventShown> {
    switch (event.type) {
      case 'make':
        this.setup = event.setup;
        this.seats = event.seats;
        this.commitment = event.commitment;
        break;
      case 'start':
        this.#beginMatch(event);
        break;
      case 'ready':
        this.#updateSeat(event.seat, { ready: true });
        if (event.deal && this.stage === 'over') this.#beginMatch(event);
        else if (event.deal) this.#beginRound(event);
        break;
      case 'back':
        this.#back(event.seat, event.at);
        break;
      case 'move':
      case 'keep':
        return this.#move(event, game, move);
      case 'draw':
        this.#play(event.events, game);
        break;
      case 'undo': {
        this.#chargeClock(event.seat, event.at);
        const decision = this.#goBack(this.decisions.length - 1);
        if (this.setup.clock === 'move') this.turnBegan = decision.began;
        break;
      }
      case 'take_back': {
        const number = this.lastOwnDecision(event.seat);
        this.#chargeClock(this.turn!, event.at);
        this.#goBack(number);
        this.undoFloor = Math.min(this.undoFloor, number);
        break;
      }
      case 'takeover':
        this.#chargeClock(event.seat, event.at, false);
        this.#updateSeat(event.seat, { relieved: true });
        this.undoFloor = this.decisions.length;
        break;
      case 'resign':
      case 'time':
        this.#resign(event);
        break;
      case 'pause':
        this.turnBegan += event.milliseconds;
    }
    return {};
  }

  #updateSeat(number: number, changes: Partial<SeatShown>): void {
    this.seats = this.seats.with(number, { ...this.seats[number]!, ...changes });
  }

  #back(seat: number, at: number): void {
    const previous = this.seats[seat]!;
    this.#updateSeat(seat, { left: false, relieved: false });
    if (this.turn !== seat || !previous.relieved) return;
    this.undoFloor = this.decisions.length;
    // A seat whose time had run out could not decide anything otherwise; but each decision is given it only once.
    if (this.clockRenewed) return;
    this.clockRenewed = true;
    this.turnBegan = at;
  }

  #play(lines: string[], game?: RoundState): void {
    const { state, lines: before } = this.game!;
    this.game = game ?? {
      state: stateAfter(this.rules, state, lines),
      lines: [...before, ...lines],
    };
    this.drawnItems += itemsDrawn(lines);
  }

  #move(event: MoveEvent | KeepEvent, after?: RoundState, known?: number): Partial<EventShown> {
    const { rules, bonus, drawnItems, turnBegan: began } = this;
    const game = this.game!;
    const player = this.playerOf(event.seat);
    const move = known ?? rules.notation.number(moveOf(event.events[0]!))!;
    this.#chargeClock(event.seat, event.at);
    this.#play(event.events, after);
    const { state } = this.game!;
    const turnContinues = rules.turn(state) === player && event.events.length === 1;
    this.decisions = [
      ...this.decisions,
      {
        seat: event.seat,
        game,
        drawnItems,
        began,
        bonus,
        isFinal: !turnContinues,
        isDeclined: event.type === 'keep',
        byBot: Boolean(event.bot),
      },
    ];
    this.bonus = turnContinues && rules.bonus(state);
    const details: Partial<EventShown> = {
      gained: gainedBy(rules, player, game.state, state),
      bonus: this.bonus,
    };
    const counted = rules.scored(game.state, move);
    if (counted.length) details.counted = counted;
    const shown = rules.shows(game.state, move);
    if (shown.length) details.shown = shown;
    if (event.type === 'move' && rules.over(state)) {
      details.over_why = rules.ended(state)!.key as NonNullable<EventShown['over_why']>;
      this.#endRound(event, 'played');
    }
    return details;
  }

  #resign(event: RoundEndEvent & { type: 'resign' | 'time' }): void {
    if (this.turn === event.seat) this.#chargeClock(event.seat, event.at);
    const ends = this.endsWithout(event.seat);
    this.#updateSeat(event.seat, { resigned: true });
    this.undoFloor = this.decisions.length;
    if (ends) this.#endRound(event, event.type === 'time' ? 'time' : 'resigned');
  }

  // Rounds

  /** The time of a decision goes off the clock of its seat; the next one begins, unless a bot goes on with it. */
  #chargeClock(number: number, at: number, begins = true): void {
    const seat = this.seats[number]!;
    if (this.setup.clock === 'game' && seat.kind === 'person' && !seat.relieved)
      this.#updateSeat(number, { time_left: Math.max(0, seat.time_left - Math.max(0, at - this.turnBegan)) });
    if (begins || this.setup.clock === 'game') this.turnBegan = at;
    if (begins) this.clockRenewed = false;
  }

  /** C17, D14: a new series; a rematch is begun by the next seat. */
  #beginMatch(event: RoundStartEvent): void {
    this.matchFirst = event.first!;
    this.points = Object.keys(this.rules.about.rounds).length ? [] : null;
    this.seats = this.seats.map((seat) => ({ ...seat, resigned: false }));
    this.#beginRound(event);
  }

  #beginRound(event: RoundStartEvent): void {
    const { from, players, options, clock, seconds } = this.setup;
    const initial = { state: this.rules.start(players, options), lines: [] };
    this.game =
      this.roundsBegun || !from ? initial : { state: decodeState(from.state), lines: from.lines ?? [] };
    this.first = event.first!;
    this.start = event.start;
    this.roundsBegun++;
    this.stage = 'playing';
    this.result = null;
    this.drawnItems = 0;
    this.#play(event.deal!);
    this.turnBegan = event.at;
    this.clockRenewed = this.bonus = false;
    this.decisions = [];
    this.undoFloor = 0;
    this.roundStartVersion = this.version + 1;
    const time_left = clock === 'game' ? seconds * 1000 : 0;
    this.seats = this.seats.map((seat) => ({
      ...seat,
      ready: false,
      time_left: seat.kind === 'person' ? time_left : 0,
    }));
    this.dealt = this.game.state;
  }

  #endRound(event: RoundEndEvent, why: ResultShown['why']): void {
    const { state } = this.game!;
    const over = this.rules.over(state);
    const values = this.rules.values(state);
    const bySeat = <Value>(byPlayer: Value[]): Value[] =>
      this.seats.map((_, seat) => byPlayer[this.playerOf(seat)]!);
    // As on a server: only a round that was played to its end counts for a series.
    if (this.points && over) this.points = [...this.points, bySeat(this.rules.points(state)!)];
    const matchContinues = over && this.points !== null && this.points.length < this.setup.rounds;
    this.stage = matchContinues ? 'between' : 'over';
    const { totals } = this;
    const scores =
      totals && this.setup.rounds > 1 ? totals : bySeat(this.rules.places(state)).map((place) => -place);
    // Seats that resigned rank below all others.
    const isBetter = (seat: number, other: number): boolean => {
      const [mine, theirs] = [this.seats[seat]!.resigned, this.seats[other]!.resigned];
      return mine === theirs ? scores[seat]! > scores[other]! : theirs;
    };
    const places = scores.map((_, seat) => 1 + scores.filter((_, other) => isBetter(other, seat)).length);
    this.result = {
      why,
      over_why: over ? (this.rules.ended(state)!.key as ResultShown['over_why']) : null,
      values: bySeat(values),
      places,
      points: this.points,
      totals,
      winners: this.stage === 'over' ? places.flatMap((place, seat) => (place === 1 ? [seat] : [])) : [],
    };
    this.#record(event, values, over);
    this.commitment = event.commitment ?? '';
  }

  /** The round as docs/rules/record.md has it, with the shuffle's proof. One that went on from a record has none, and one
   *  that went on from a position alone is no record. */
  #record(event: RoundEndEvent, values: number[][], over: boolean): void {
    const { about } = this.rules;
    const order = this.seats.map((_, player) => this.seatOf(player));
    const resigned = order.flatMap((seat, player) => (this.seats[seat]!.resigned ? [player] : []));
    const from = this.roundsBegun === 1 ? this.setup.from : undefined;
    if (from?.lines === null) return;
    const record: RoundRecord = {
      format: 'sixfold/1',
      game: about.game,
      players: this.seats.length,
      options: this.setup.options,
      names: order.map((seat) => this.seats[seat]!.name),
      events: this.game!.lines,
      result: over ? { places: this.rules.places(this.game!.state), values } : null,
      seats: order,
      bots: order.map((seat) => this.seats[seat]!.level || null),
      ...(resigned.length && { resigned }),
    };
    if (!from)
      record.shuffle = {
        commitment: this.commitment,
        key: event.key!,
        ...(this.start && { start: this.start }),
      };
    this.records[this.roundsBegun - 1] = record;
  }
}
