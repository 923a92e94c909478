// Made by `npm run rules` from the modules' descriptions; do not edit.

export const INTERFACE = 3;

/** What a module of any game exports; `?` where only some games have it. */
export interface Exports {
  memory: WebAssembly.Memory;
  count(): number;
  legal(): number;
  allowed(move: number): number;
  act(move: number): void;
  owed(): void;
  pool_size(): number;
  receive(item: number): void;
  draw(): number;
  sees(seat: number, player: number): number;
  conceals(occasion: number, player: number, seat: number): number;
  hide(seat: number): void;
  guess(seat: number): void;
  evaluate(): void;
  rank(): void;
  previews(number: number): void;
  follow(): void;
  encode(seat: number): number;
  earned(number: number): void;
  reach(): void;
  bonus(): number;
  ended(): number;
  refusal(move: number): number;
  scoring?(cell: number, symbol: number): number;
  scored?(move: number): number;
  explain(move: number): number;
  plant(seed: bigint, number: number): void;
  below(limit: number): number;
  judge(foresight: number): number;
  best(number: number): number;
  any_best(number: number): number;
  any_better(number: number): number;
  root(number: number): void;
  explore(seat: number, number: number, iterations: number): number;
  most_tried(): number;
  digested(seed: bigint, first: number, games: number): number;
  play(seed: bigint, first: number, row: number, stride: number): void;
  net(looks: number, blind: number): number;
  net_root(): void;
  net_explore(seat: number, left: number): number;
  net_best(): number;
  race_rank(): void;
  sample_fill(worlds: number, chance: number): void;
  sample_keep(worlds: number, column: number): void;
  sample_mean(worlds: number, column: number): number;
  sample_error(worlds: number, one: number, other: number): number;
  net_moves(played: number): void;
  net_race(seat: number, iterations: number, seed: bigint): number;
  net_sample(seat: number, worlds: number, seed: bigint): void;
  net_margin(seat: number, move: number): number;
  points?(player: number): number;
  shows?(move: number): number;
  netrolls?(): number;
  solved?(): number;
  approximation_weigh?(played: number): void;
  approximation_chance?(player: number): number;
}

/** The buffers of a module of any game. */
export type BufferName =
  | 'answer'
  | 'begin'
  | 'chances'
  | 'digest'
  | 'earnings'
  | 'effects'
  | 'errors'
  | 'generator'
  | 'going'
  | 'items'
  | 'json'
  | 'lengths'
  | 'moves'
  | 'places'
  | 'raced'
  | 'ranked'
  | 'reaches'
  | 'results'
  | 'state'
  | 'values'
  | 'words'
  | 'worth';

/** A state of the game travel, field by field. */
export interface TravelState {
  free: bigint[];
  near: bigint[];
  board: number[];
  bag: number[];
  rack: number[][];
  rack_size: number[];
  aside: number[];
  aside_size: number;
  score: number[][];
  phase: number;
  turn: number;
  placed: number;
  bonus: number;
  corner: number;
  players: number;
  open_racks: number;
}

/** A state of the game cards, field by field. */
export interface CardsState {
  pile: number[];
  pile_size: number;
  discards: number[];
  discards_size: number;
  hand: number[][];
  hand_size: number[];
  open: number[][];
  open_size: number[];
  chip: number[][];
  phase: number;
  stage: number;
  turn: number;
  bonus: number;
  players: number;
}

/** A state of the game dice, field by field. */
export interface DiceState {
  marks: number[][];
  dice: number[][];
  due: number[];
  rolled: number;
  rolls: number;
  phase: number;
  turn: number;
  opening: number;
  players: number;
  split_jokers: number;
  hidden_start: number;
}

export interface States {
  travel: TravelState;
  cards: CardsState;
  dice: DiceState;
}
