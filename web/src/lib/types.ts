/** Short names for the server's schema types. */
import type { Snippet } from 'svelte';
import type { components } from './schema';

type Schemas = components['schemas'];

export type View = Schemas['View'];
export type SetupShown = Schemas['SetupShown'];
export type SeatShown = Schemas['SeatShown'];
/** Why a round that was played to its end is over: a key of the game's end reasons. */
export type OverWhy = string;
export type EventShown = Schemas['EventShown'];
export type ResultShown = Schemas['ResultShown'];
export type TravelPosition = Schemas['TravelPosition'];
export type CardsPosition = Schemas['CardsPosition'];
export type DicePosition = Schemas['DicePosition'];
export type Position = TravelPosition | CardsPosition | DicePosition;
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

export const GAMES: GameName[] = ['dice', 'cards', 'travel'];
export const isGame = (text: string): text is GameName => (GAMES as string[]).includes(text);

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

/** Changes with every decision and round, but not with reactions or departures. */
export const moment = ({ round, turn, last }: View): string => [round, turn, last?.version].join();

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
  view: View;
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
