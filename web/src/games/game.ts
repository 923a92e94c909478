/** What the page knows about a game besides its rules: one folder per game, whose index.ts exports a `Game`. */
import type { Component } from 'svelte';
import type { Draft } from '../analysis/draft';
import type { Key, Words } from '../lib/language.svelte';
import type { GameProps } from '../lib/types';

type Lazy<Props extends object> = () => Promise<{ default: Component<Props> }>;

/** A part of a sentence: words, or a piece that is drawn and has words of its own. */
export interface PieceText {
  item: string;
  words: string;
}
export type Part = string | PieceText;

/** A move in words. */
export interface MoveText {
  /** The sentence about it, with `{piece}` where the piece is drawn. */
  key: Key;
  words?: Words;
  piece?: PieceText;
  /** Where the piece goes. */
  where?: string;
  /** The sentence without details, for a narrow line. */
  brief?: Key;
  /** As few words as possible. */
  short: Part[];
  /** The sentence of a hint. */
  advice: Key;
}

/** What the position editor needs to know: the clauses, the limits and the derived fields. */
export interface Setup {
  /** The clauses about: how many there are of each item, a player's values, what bars them, what everybody has, what is
   *  hidden, and the board. */
  clauses: {
    items: string;
    values: string;
    areas: string;
    held: Record<string, string>;
    hidden: string;
    board: string;
  };
  /** The field that others do not see. */
  secret?: string;
  /** Where chance comes before a decision: the field that counts the rolls, and the phase before the first one. */
  rolls?: { part: string; before: string; most: number };
  /** How many items a player has in a field: at the beginning of a turn, and at most. */
  sizes: (players: number) => Record<string, { usual: number; most: number }>;
  /** The fields that follow from the others, given the numbers of tiles on the board, unseen items and hidden items. */
  follows: (
    position: Record<string, unknown>,
    laid: number,
    unseen: number,
    hidden: number,
  ) => Record<string, unknown>;
}

export interface Game {
  /** Its place in lists of games. */
  order: number;
  /** The letter of its clauses. */
  clause: string;
  /** The ends of a round after which the values decide, because nobody has reached the goal. */
  endsByValues?: string[];
  /** The move that declines a choice and changes nothing that others see. */
  declines?: string;
  table: Lazy<GameProps>;
  /** A small animated drawing, 232 × 144 around the origin; `tick` counts up, or stays where animations are off. */
  Preview: Component<{ tick: number; still: boolean }>;
  /** The pictures of the rules page, by name. */
  illustration: Lazy<{ name: string }>;
  /** One item, for the analysis. */
  piece: Lazy<{ item: string }>;
  /** Where items lie on a board: an editor for it. */
  boardEditor?: Lazy<{ draft: Draft; change: (draft: Draft) => void }>;
  setup: Setup;
  /** Moves with details, by verb. Other moves have the sentences `log_VERB`, `advise_VERB` and `VERB`. */
  moves: Record<string, (rest: string[]) => MoveText>;
  /** Moves that are reported together with the chance that follows them. */
  reportedWithChance?: string[];
  /** The sentence about public chance after a move. */
  chance?: (word: string, items: string[], move: string) => { key: Key; piece: PieceText } | undefined;
  /** A lesson's next element to tap for a move, given what is selected. */
  target: (table: Element, move: string) => Element | undefined;
}
