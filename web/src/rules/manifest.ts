/** The JSON manifest of a module; see docs/wasm.md. */
export type NumberType =
  'int8' | 'uint8' | 'int16' | 'int32' | 'int64' | 'uint64' | 'float32' | 'float64' | 'record';
export type OptionValue = boolean | string;

export interface Field {
  type: NumberType;
  offset: number;
  shape: number[];
}

/** Moves as texts: a list, or a product of two rows of words. */
export type Block =
  | (string | null)[]
  | {
      inner: number;
      outer: number;
      words: (string | { outer: string[] } | { inner: string[] })[];
      not: [number, number][];
    };

/** What is special about a bot at a level: how many moves its net is shown, and of a hundred how many it overlooks. */
export interface Habits {
  looks?: number;
  blind?: number;
}

export interface Level {
  bot: string;
  slips: number;
  iterations: number | null;
  milliseconds: number | null;
  habits: Habits;
}

export interface Occasion {
  word: string;
  clause: string;
  hidden: boolean;
  as_they_lie: boolean;
}

/** One part of what a game shows of a position: the fields of a state that it is made of, and how. */
export type Part =
  | { kind: 'pool_size' }
  | { kind: 'number' | 'counts' | 'letters'; field: string }
  | { kind: 'items'; field: string; size: string }
  | { kind: 'name'; field: string; names: string[] }
  | { kind: 'rows'; field: string; lengths: number[] };

/** A reason that compiled code returns by its index; the texts of a word are indexed by the number given for it. */
export interface Reason {
  key: string;
  clause: string;
  words: [string, string[] | string | null][];
}

export interface Description {
  interface: number;
  game: string;
  version: number;
  symbols: string;
  /** The names of each player's values. */
  values: string[];
  players: number[];
  options: Record<string, OptionValue[]>;
  defaults: Record<string, OptionValue>;
  minutes: number;
  rounds: Record<string, number>;
  last: number;
  goal: number;
  areas: number[];
  items: string[];
  cells: string[];
  occasions: Occasion[];
  reasons: Reason[];
  hints: Reason[];
  ends: { key: string; clause: string }[];
  clauses: { end: string; places: string; refill: string | null };
  choices: string[];
  choose: number;
  /** How long a bot may think about a private choice, in milliseconds. */
  choice_ms: number;
  phases: Record<string, string>;
  shown: { parts: Record<string, Part>; values: string; stage: string | null };
  pool: string | null;
  example: string;
  moves: Block[];
  starts: { players: number; options: Record<string, OptionValue>; state: string }[];
  levels: Record<string, Level[]>;
  /** The layout is a digest of the fields: programs with the same one understand each other's states. */
  state: { size: number; layout: string; fields: Record<string, Field> };
  buffers: Record<string, { type: NumberType; shape: number[] }>;
  bots: Record<string, string>;
  /** By number of players: the evaluator of a review, and the data that it needs. */
  judges: Record<string, { by: 'net' | 'playouts' | 'approximation'; data: string | null }>;
  data: Record<string, string[]>;
}
