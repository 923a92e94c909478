/** A position that is being set up: every change gives a new one, whose parts agree with each other. */
import { setupOf } from '../games';
import type { Position } from '../lib/types';
import { encodePosition, type Bots, type OptionValue, type EncodedPosition } from '../rules';
import {
  boardPart,
  completePosition,
  copiesInBox,
  countParts,
  FREE,
  HIDDEN,
  itemParts,
  laidTiles,
  validateState,
} from './validation';

type Hands = string[][];

export interface Draft {
  rules: Bots;
  position: Position;
  /** The tiles on the board. */
  laid: Map<string, number>;
}

/** The beginning of a game, as its first player sees it. */
export function newDraft(rules: Bots, players: number, options: Record<string, OptionValue>): Draft {
  const [seed] = crypto.getRandomValues(new BigUint64Array(1));
  const { state } = rules.resolveChance(rules.start(players, options), rules.chance(seed!));
  const seat = setupOf(rules.about.game).secret ? rules.turn(state)! : null;
  const seen = seat === null ? state : rules.hide(state, seat);
  return { rules, position: encodePosition<EncodedPosition>(rules, seen, seat) as Position, laid: new Map() };
}

export const draftOf = (rules: Bots, position: Position): Draft => ({
  rules,
  position,
  laid: laidTiles(rules, position),
});

/** With other values in some parts. */
export const withParts = (draft: Draft, parts: object, laid = draft.laid): Draft => ({
  ...draft,
  laid,
  position: { ...draft.position, ...parts } as Position,
});

export const handsOf = ({ position }: Draft, part: string): Hands =>
  (position as unknown as Record<string, Hands>)[part]!;

export const counts = (position: Position, part: string): Record<string, number> =>
  (position as unknown as Record<string, Record<string, number>>)[part]!;

/** The draft with another item in one place of a player's hand. */
export function withItem(draft: Draft, part: string, player: number, at: number, item: string): Draft {
  const rows = handsOf(draft, part).map((row, owner) =>
    owner === player ? row.map((current, index) => (index === at ? item : current)) : row,
  );
  return withParts(draft, { [part]: rows });
}

/** How many of each item are left to be dealt, beside what is seen or lies on the board. */
export function remainingItems({ rules, position, laid }: Draft): Map<string, number> {
  const remaining = copiesInBox(rules, position);
  for (const part of itemParts(rules))
    for (const item of handsOf({ rules, position, laid }, part).flat())
      if (item !== HIDDEN) remaining.set(item, remaining.get(item)! - 1);
  for (const part of countParts(rules))
    for (const [item, n] of Object.entries(counts(position, part)))
      remaining.set(item, remaining.get(item)! - n);
  for (const [item, n] of laid) remaining.set(item, remaining.get(item)! - n);
  return remaining;
}

/** What a player holds becomes unknown, or known: then it is dealt by lot. */
export function withHandHidden(draft: Draft, part: string, player: number, unknown: boolean): Draft {
  const pool = [...remainingItems(draft)].flatMap(([item, n]) => Array<string>(Math.max(0, n)).fill(item));
  const drawRandom = (): string => pool.splice(Math.floor(Math.random() * pool.length), 1)[0]!;
  const rows = handsOf(draft, part).map((row, owner) =>
    owner === player ? row.map(() => (unknown ? HIDDEN : drawRandom())).sort() : row,
  );
  return withParts(draft, { [part]: rows });
}

/** The complete position, seen by the only seat with a known hand or by all; throws if it is invalid. */
export function finishDraft({ rules, position, laid }: Draft): Position {
  const { secret } = setupOf(rules.about.game);
  const hands = secret ? handsOf({ rules, position, laid }, secret) : [];
  const knownHands = hands.flatMap((row, player) => (row.includes(HIDDEN) ? [] : [player]));
  const everyHandKnown = knownHands.length === hands.length;
  const seen_by = everyHandKnown ? null : (knownHands[0] ?? position.turn);
  const completed = completePosition(rules, { ...position, seen_by }, laid);
  validateState(rules, completed);
  return completed;
}

const canonicalItem = (rules: Bots, first: string, second: string): string =>
  rules.about.items.includes(first + second) ? first + second : second + first;

const withCells = (rows: string[], cells: Map<number, string>): string[] => {
  let at = 0;
  return rows.map((row) => [...row].map((letter) => cells.get(at++) ?? letter).join(''));
};

/** With a tile on two cells. */
export function withTile(draft: Draft, item: string, cells: [number, number]): Draft {
  const part = boardPart(draft.rules)!;
  const rows = handsOf(draft, part) as unknown as string[];
  const laid = new Map(draft.laid).set(item, (draft.laid.get(item) ?? 0) + 1);
  const letters = new Map(cells.map((cell, at) => [cell, item[at]!]));
  return withParts(draft, { [part]: withCells(rows, letters) }, laid);
}

/** Without the tile on two cells; null where no such tile lies on the board. */
export function withoutTile(draft: Draft, cells: [number, number]): Draft | null {
  const part = boardPart(draft.rules)!;
  const rows = handsOf(draft, part) as unknown as string[];
  const letters = rows.join('');
  const item = canonicalItem(draft.rules, letters[cells[0]]!, letters[cells[1]]!);
  const count = draft.laid.get(item) ?? 0;
  if (!count) return null;
  const laid = new Map(draft.laid).set(item, count - 1);
  return withParts(draft, { [part]: withCells(rows, new Map(cells.map((cell) => [cell, FREE]))) }, laid);
}
