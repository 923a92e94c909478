/** The rules of one game, backed by its WebAssembly module; nothing here is specific to a game. */
import type { Description, Occasion, OptionValue, Reason } from './manifest';
import { INTERFACE, type Exports, type States } from './interface';
import { Memory, type State } from './memory';
import { Notation } from './notation';

export type GameName = keyof States;

/** SplitMix64: the generator that the server and the arena use. The same seed gives the same outcomes. */
export interface Chance {
  word: bigint;
}

export interface Refusal {
  key: string;
  clause: string;
  words: Record<string, string>;
}

export interface PendingChance {
  occasion: Occasion;
  player: number;
  number: number;
}

export const CHANCE = 0;
export const OVER = 1;
/** An item that a seat may not know. */
export const HIDDEN = '??';
const NOBODY = -1;

export class Rules<Game extends GameName = GameName> {
  readonly notation: Notation;
  readonly exports: Exports;
  readonly memory: Memory;

  constructor(
    instance: WebAssembly.Instance,
    readonly about: Description,
  ) {
    if (about.interface !== INTERFACE)
      throw new Error(`the module of ${about.game} has interface ${about.interface}, not ${INTERFACE}`);
    this.exports = instance.exports as unknown as Exports;
    this.memory = new Memory(this.exports, about);
    this.notation = new Notation(about.moves);
  }

  /** A state before anything is dealt or rolled. */
  start(players: number, options: Record<string, OptionValue> = {}): State {
    const matches = this.about.starts.filter(
      (candidate) =>
        candidate.players === players &&
        Object.entries(options).every(([name, value]) => candidate.options[name] === value),
    );
    if (!matches[0])
      throw new Error(`${this.about.game} cannot be played so: ${JSON.stringify({ players, ...options })}`);
    return Uint8Array.from(atob(matches[0].state), (letter) => letter.charCodeAt(0));
  }

  /** A state field by field, in the words of the rules. */
  fields(state: State): States[Game] {
    const names = Object.keys(this.about.state.fields);
    return Object.fromEntries(
      names.map((name) => [name, this.memory.field(state, name)]),
    ) as unknown as States[Game];
  }

  /** A state with other values in some of its fields. */
  withFields(state: State, fields: Record<string, unknown>): State {
    const after = state.slice() as State;
    for (const [name, value] of Object.entries(fields)) this.memory.write(after, name, value);
    return after;
  }

  /** A decoded state with its derived fields filled in. */
  withDerivedFields(state: State): State {
    this.memory.put(state);
    this.exports.follow();
    return this.memory.get();
  }

  number(state: State, field: 'phase' | 'turn' | 'players'): number {
    return this.memory.field(state, field) as number;
  }

  over(state: State): boolean {
    return this.number(state, 'phase') === OVER;
  }

  /** The player who has to decide; null when the game is over or a chance event is pending. */
  turn(state: State): number | null {
    return this.number(state, 'phase') > OVER ? this.number(state, 'turn') : null;
  }

  /** All moves of the player in turn, by their numbers. */
  legal(state: State): number[] {
    this.memory.put(state);
    return [...this.memory.array('moves', 'int16').subarray(0, this.exports.legal())];
  }

  allowed(state: State, move: number): boolean {
    this.memory.put(state);
    return this.exports.allowed(move) !== 0;
  }

  /** The state after a legal move. */
  act(state: State, move: number): State {
    if (!this.allowed(state, move)) throw new Error(`${this.notation.text(move) ?? move} is not allowed`);
    this.exports.act(move);
    return this.memory.get();
  }

  /** The pending chance event and its player; null if none is pending. */
  pendingChance(state: State): PendingChance | null {
    if (this.number(state, 'phase') !== CHANCE) return null;
    this.memory.put(state);
    this.exports.owed();
    const [occasion, number] = this.memory.array('answer', 'int32');
    return {
      occasion: this.about.occasions[occasion!]!,
      player: this.number(state, 'turn'),
      number: number!,
    };
  }

  /** How many there are of each item that chance may supply now. */
  pool(state: State): number[] {
    const { pool, items } = this.about;
    return pool === null ? items.map(() => 1) : (this.memory.field(state, pool) as number[]);
  }

  /** How many items are left for chance to supply. */
  poolSize(state: State): number {
    this.memory.put(state);
    return this.exports.pool_size();
  }

  /** The state after chance has supplied an item. */
  receive(state: State, item: number): State {
    if (this.pendingChance(state) === null || !this.pool(state)[item])
      throw new Error(`chance cannot supply ${this.about.items[item] ?? item} now`);
    this.memory.put(state);
    this.exports.receive(item);
    return this.memory.get();
  }

  chance(seed: bigint | number, number = 0): Chance {
    this.exports.plant(BigInt.asUintN(64, BigInt(seed)), number);
    return { word: this.memory.array('generator', 'uint64')[0]! };
  }

  /** Run compiled code with a generator and save the generator's state afterwards. */
  protected with<Answer>(chance: Chance, use: () => Answer): Answer {
    const generator = this.memory.array('generator', 'uint64');
    generator[0] = chance.word;
    const answer = use();
    chance.word = generator[0]!;
    return answer;
  }

  /** A number from 0 to limit - 1, each exactly as likely. */
  below(chance: Chance, limit: number): number {
    return this.with(chance, () => this.exports.below(limit));
  }

  /** Resolve all pending chance events; returns the next state and the events. */
  resolveChance(state: State, chance: Chance): { state: State; events: string[] } {
    const events: string[] = [];
    for (let pending = this.pendingChance(state); pending !== null; pending = this.pendingChance(state)) {
      const items: number[] = [];
      this.memory.put(state);
      this.with(chance, () => {
        for (let remaining = pending.number; remaining > 0; remaining--) items.push(this.exports.draw());
      });
      state = this.memory.get();
      events.push(this.event(pending, items));
    }
    return { state, events };
  }

  /** An event of chance in the notation. */
  event({ occasion, player }: PendingChance, items: number[]): string {
    const ordered = occasion.as_they_lie ? items : items.toSorted((a, b) => a - b);
    return [occasion.word, player, ...ordered.map((item) => this.about.items[item])].join(' ');
  }

  /** What a seat knows; null for a spectator. */
  hide(state: State, seat: number | null): State {
    this.memory.put(state);
    this.exports.hide(seat ?? NOBODY);
    return this.memory.get();
  }

  /** May a seat see what a player holds? */
  sees(state: State, seat: number | null, player: number): boolean {
    this.memory.put(state);
    return this.exports.sees(seat ?? NOBODY, player) !== 0;
  }

  /** The JSON of a position that is already hidden for a seat. */
  encode(state: State, seat: number | null): string {
    this.memory.put(state);
    const json = this.memory.array('json', 'uint8');
    const length = this.exports.encode(seat ?? NOBODY);
    if (length > json.length) throw new Error(`the JSON of a position has ${length} bytes`);
    return new TextDecoder().decode(json.subarray(0, length));
  }

  /** An event as a seat hears of it: hidden items as `??`. The state says who sees what. */
  maskEvent(state: State, event: string, seat: number | null): string {
    const [word, player, ...items] = event.split(' ');
    const occasion = this.about.occasions.findIndex((candidate) => candidate.word === word);
    if (occasion < 0) return event;
    this.memory.put(state);
    if (!this.exports.conceals(occasion, Number(player), seat ?? NOBODY)) return event;
    return [word, player, ...items.map(() => HIDDEN)].join(' ');
  }

  /** Is this an event of chance whose items are hidden? */
  isHiddenChance(event: string): boolean {
    const word = event.split(' ', 1)[0];
    return this.about.occasions.find((occasion) => occasion.word === word)?.hidden ?? false;
  }

  /** Has the player in turn to make the private choice that ends a turn? */
  choosing(state: State): boolean {
    return this.number(state, 'phase') === this.about.choose;
  }

  /** A determinization: a random full state consistent with this seat's view. */
  guess(view: State, seat: number | null, chance: Chance): State {
    this.memory.put(view);
    this.with(chance, () => this.exports.guess(seat ?? NOBODY));
    return this.memory.get();
  }

  /** The values of each player. */
  values(state: State): number[][] {
    this.memory.put(state);
    this.exports.evaluate();
    return rows(this.memory.array('values', 'int8'), this.number(state, 'players'), this.about.values.length);
  }

  /** Each player's place by the game's own ranking. */
  places(state: State): number[] {
    this.memory.put(state);
    this.exports.rank();
    return [...this.memory.array('places', 'int8').subarray(0, this.number(state, 'players'))];
  }

  /** The points of each player in a series; null for a game that is not played in series. */
  points(state: State): number[] | null {
    const { points } = this.exports;
    if (!points) return null;
    this.memory.put(state);
    return Array.from({ length: this.number(state, 'players') }, (_, player) => points(player));
  }

  /** For each move what it adds to the player's values, and the phase it leads to. */
  previews(state: State, moves: number[]): number[][] {
    this.#putMoves(state, moves);
    this.exports.previews(moves.length);
    return rows(this.memory.array('effects', 'int8'), moves.length, this.about.values.length + 1);
  }

  /** For each move what it adds to the player's values. */
  gains(state: State, moves: number[]): number[][] {
    return this.previews(state, moves).map((row) => row.slice(0, -1));
  }

  /** For each move what it gives for each symbol, before any limit. */
  earned(state: State, moves: number[]): number[][] {
    this.#putMoves(state, moves);
    this.exports.earned(moves.length);
    return rows(this.memory.array('earnings', 'int8'), moves.length, this.about.values.length);
  }

  /** How far a row of each player may go now. */
  reach(state: State): number[] {
    this.memory.put(state);
    this.exports.reach();
    return [...this.memory.array('reaches', 'int8').subarray(0, this.number(state, 'players'))];
  }

  /** Is the player in turn in a bonus turn? */
  bonus(state: State): boolean {
    this.memory.put(state);
    return this.exports.bonus() !== 0;
  }

  /** Why a game is over; null while it is not. */
  ended(state: State): { key: string; clause: string } | null {
    if (!this.over(state)) return null;
    this.memory.put(state);
    return this.about.ends[this.exports.ended()]!;
  }

  /** Why a move is not allowed; null where it is. */
  refusal(state: State, move: number): Refusal | null {
    if (this.allowed(state, move)) return null;
    return this.#reason(this.about.reasons, () => this.exports.refusal(move));
  }

  /** For each free cell of a board and each symbol the cells that it would score with there. */
  lines(state: State): Record<string, Record<string, string[]>> {
    const linesByCell: Record<string, Record<string, string[]>> = {};
    const { scoring } = this.exports;
    if (!scoring) return linesByCell;
    this.memory.put(state);
    const cells = this.memory.array('cells', 'int16');
    this.about.cells.forEach((name, cell) => {
      [...this.about.symbols].forEach((letter, symbol) => {
        const count = scoring(cell, symbol);
        if (count) (linesByCell[name] ??= {})[letter] = this.#cellNames(cells.subarray(0, count));
      });
    });
    return linesByCell;
  }

  /** The cells of a board that a move scores with, one after the other. */
  scored(state: State, move: number): string[] {
    if (!this.exports.scored) return [];
    this.memory.put(state);
    return this.#cellNames(this.memory.array('cells', 'int16').subarray(0, this.exports.scored(move)));
  }

  /** The items of the hand that a move reveals to all players. */
  shows(state: State, move: number): string[] {
    if (!this.exports.shows) return [];
    this.memory.put(state);
    const count = this.exports.shows(move);
    return [...this.memory.array('shown', 'int16').subarray(0, count)].map((item) => this.about.items[item]!);
  }

  /** Why a move is good, from the view of the player in turn. */
  explain(view: State, move: number): Refusal {
    this.memory.put(view);
    return this.#reason(this.about.hints, () => this.exports.explain(move));
  }

  /** The reason that compiled code finds, with its placeholders resolved from the numbers that it writes. */
  #reason(reasons: Reason[], find: () => number): Refusal {
    const numbers = this.memory.array('words', 'int64').fill(0n);
    const { key, clause, words } = reasons[find()]!;
    const filled = words.map(([word, texts], at) => [
      word,
      texts?.[Number(numbers[at])] ?? String(numbers[at]),
    ]);
    return { key, clause, words: Object.fromEntries(filled) };
  }

  /** Play random games, number `first` and following of a seed: the digest of every state, and how many decisions. */
  digest(initial: State, seed: bigint, first: number, games: number): { digest: string; decisions: number } {
    this.memory.at('begin', initial.length).set(initial);
    const digest = this.memory.array('digest', 'uint64');
    digest[0] = 0n;
    const decisions = this.exports.digested(seed, first, games);
    return { digest: digest[0].toString(16).padStart(16, '0'), decisions };
  }

  /** Play random games, a thousand at once, to measure how fast; returns how many decisions they had. */
  playRandom(initial: State, seed: bigint, first: number): number {
    this.memory.at('begin', initial.length).set(initial);
    this.exports.play(seed, first, 0, 1);
    return this.memory.array('lengths', 'int32').reduce((sum, length) => sum + length, 0);
  }

  #cellNames(cells: Int16Array): string[] {
    return [...cells].map((cell) => this.about.cells[cell]!);
  }

  #putMoves(state: State, moves: number[]): void {
    this.memory.put(state);
    this.memory.array('moves', 'int16').set(moves);
  }
}

const rows = (flat: Int8Array, rowCount: number, length: number): number[][] =>
  Array.from({ length: rowCount }, (_, row) => [...flat.subarray(row * length, (row + 1) * length)]);
