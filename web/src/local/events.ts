/** What can happen at a table on this device, as it is kept: the same events as a server keeps, but for those that need
 *  people on other devices. */
import type { OptionValue } from '../rules';
import type { SeatShown, SetupShown } from '../lib/types';

export const FORMAT = 2;

/** A position to play on from: a state in base64, and the events that led to it where they are known. */
export interface From {
  state: string;
  lines: string[] | null;
}

export type Setup = Omit<SetupShown, 'hints'> & { hints: boolean | null; from?: From };

interface BaseEvent {
  /** Milliseconds since 1970. */
  at: number;
  id?: string;
  bot?: boolean;
}
interface SeatEvent extends BaseEvent {
  seat: number;
}
/** With a deal it begins a round: who is player 0, and what chance did. */
export interface RoundStartEvent extends SeatEvent {
  first?: number;
  start?: { seats: number; seat: number };
  deal?: string[];
}
/** Where it ends a round: the round's key, and the commitment to the next one's. */
export interface RoundEndEvent extends SeatEvent {
  key?: string;
  commitment?: string;
}

export interface MakeEvent extends BaseEvent {
  type: 'make';
  format: number;
  rules: number;
  setup: Setup;
  seats: SeatShown[];
  commitment: string;
}
export type MoveEvent = RoundEndEvent & { type: 'move'; events: string[] };
/** T15, C11: what is drawn at the end of a turn. */
export type DrawEvent = SeatEvent & { type: 'draw'; events: string[] };
/** T16, C13: a declined choice and the draw after it; the other players see only the draw. */
export type KeepEvent = SeatEvent & { type: 'keep'; events: string[] };
export type Event =
  | MakeEvent
  | (RoundStartEvent & { type: 'start' | 'ready' })
  | (SeatEvent & { type: 'back' | 'undo' | 'take_back' | 'takeover' })
  | (SeatEvent & { type: 'react'; reaction: string })
  | (SeatEvent & { type: 'pause'; milliseconds: number })
  | (RoundEndEvent & { type: 'resign' | 'time' })
  | MoveEvent
  | DrawEvent
  | KeepEvent;

/** The record of a round, see docs/rules/record.md. */
export interface RoundRecord {
  format: 'sixfold/1';
  game: string;
  players: number;
  options: Record<string, OptionValue>;
  names: string[];
  events: string[];
  result: { places: number[]; values: number[][] } | null;
  seats: number[];
  bots: (string | null)[];
  resigned?: number[];
  shuffle?: { commitment: string; key: string; start?: { seats: number; seat: number } };
}
