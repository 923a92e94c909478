/** Short names for the server's schema types. */
import type { Snippet } from 'svelte';
import type { DerivedView, State } from '../rules';
import type { components } from './schema';

type Schemas = components['schemas'];

/** A view as a server sends it; a light one has the state of its seat in place of what follows from it. */
export type ViewMessage = Schemas['View'] & { state?: string | null };
/** A table as a seat sees it. */
export type TableView = Omit<
  Schemas['View'],
  'position' | 'legal' | 'previews' | 'earned' | 'lines' | 'reach'
>;
/** A table with the game on it; null before the first round. */
export type View = TableView & { decision: Decision | null };

/** A position with what may be decided in it: at a table, in a replay, a puzzle, a lesson or an analysis. */
export interface Decision extends DerivedView {
  position: Position;
  /** What the player knows, where the rules in the page made it. */
  state?: State;
  /** The player who looks and may decide; null for spectators and in a replay. */
  own: number | null;
  /** The game goes on here: neither over nor a replay. */
  playing: boolean;
  /** By player. */
  names: string[];
  last: EventShown | null;
  /** Changes with every decision and round, but not with reactions or departures; then the selection is dropped. */
  moment: string;
}
export type SetupShown = Schemas['SetupShown'];
export type SeatShown = Schemas['SeatShown'];
export type EventShown = Schemas['EventShown'];
export type ResultShown = Schemas['ResultShown'];
export type Position = NonNullable<Schemas['View']['position']>;
export type PositionOf<Name extends GameName> = Extract<Position, { game: Name }>;
export type Action = Schemas['Action'];
export type NewTable = Schemas['NewTable'];
export type NewSeat = Schemas['NewSeat'];
export type GuestShown = Schemas['GuestShown'];
export type Seated = Schemas['Seated'];
export type TableFound = Schemas['TableFound'];
export type Invitation = Schemas['Invitation'];
export type Problem = Schemas['Problem'];
export type Replay = Schemas['Replay'];
export type HintShown = Schemas['HintShown'];
export type Odds = Schemas['Odds'];
export type Invited = Schemas['Invited'];
export type Sentence = Schemas['Sentence'];
export type GameName = View['setup']['game'];

/** The reactions that a player may send. */
export const REACTIONS = [
  'hello',
  'well_played',
  'thanks',
  'oops',
  'wow',
  'thinking',
  'hurry',
  'goodbye',
] as const;

/** A message that replaces the instructions in the action area. */
export interface Notice {
  kind: 'refusal' | 'hint' | 'bonus';
  text: string;
  clause?: { name: string; href: string };
  close?: () => void;
}

/** A move overlaid on the table in a review, and what it would gain. */
export interface MoveOverlay {
  move: string;
  as: 'played' | 'better';
  gains: number[];
}

/** What a game's table is given, at the table and in a replay. */
export interface GameProps {
  decision: Decision;
  /** Send a move in the notation; what is not allowed comes back with its reason. */
  play: (move: string) => void;
  /** A move is on its way. */
  waiting: boolean;
  /** A move that a hint points to. */
  hinted: string | null;
  /** Moves to be drawn where they would be made. */
  drawn?: MoveOverlay[];
  /** The moves that stay marked; in a replay the last one. */
  trace?: EventShown[];
  /** Changes when a repeat of these moves is requested. */
  again?: number;
  notice?: Notice | null;
  /** What stands in the action area beside the verbs; without it there is nothing to decide here at all. */
  tools?: Snippet;
}
