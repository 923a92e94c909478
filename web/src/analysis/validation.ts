/** Validates positions, with a sentence and a clause for each fault, and derives the dependent parts. */
import { setupOf } from '../games';
import { pairName, say, symbolName, type Words, type Key } from '../lib/language.svelte';
import { isLetter, LETTERS } from '../lib/symbols';
import { isGame } from '../games';
import type { Position } from '../lib/types';
import { decodePosition, encodePosition, type Bots, type EncodedPosition, type State } from '../rules';
import type { Part } from '../rules/manifest';

/** An invalid position or input, with the clause that it violates, if any. */
export class InvalidPosition extends Error {
  constructor(
    key: Key,
    words: Words = {},
    readonly clause = '',
  ) {
    super(say(key, words));
  }
}

export const HIDDEN = '??';
export const FREE = '.';
type Fields = Record<string, unknown>;
type Hands = string[][];

const partsOfKind = <Kind extends Part['kind']>(
  rules: Bots,
  kind: Kind,
): [string, Extract<Part, { kind: Kind }>][] =>
  Object.entries(rules.about.shown.parts).filter(([, part]) => part.kind === kind) as never;

export const itemParts = (rules: Bots): string[] => partsOfKind(rules, 'items').map(([name]) => name);
export const letterParts = (rules: Bots): string[] => partsOfKind(rules, 'letters').map(([name]) => name);
export const boardPart = (rules: Bots): string | undefined => partsOfKind(rules, 'rows')[0]?.[0];
/** Parts that count open items, except the unseen pool. */
export const countParts = (rules: Bots): string[] =>
  partsOfKind(rules, 'counts')
    .filter(([, { field }]) => field !== rules.about.pool)
    .map(([name]) => name);
const unseenPart = (rules: Bots): string | undefined =>
  partsOfKind(rules, 'counts').find(([, { field }]) => field === rules.about.pool)?.[0];

/** How many there are of each item in the box. */
export function copiesInBox(rules: Bots, { players, options }: Position): Map<string, number> {
  if (rules.about.pool === null) return new Map();
  const pool = rules.pool(rules.start(players, options));
  return new Map(rules.about.items.map((item, at) => [item, pool[at]!]));
}

/** All visible items, except tiles on a board. */
function visibleItems(rules: Bots, position: Position): string[] {
  const fields = position as unknown as Fields;
  const hands = itemParts(rules).flatMap((name) => (fields[name] as Hands).flat());
  const counted = countParts(rules).flatMap((name) =>
    Object.entries(fields[name] as Record<string, number>).flatMap(([item, n]) =>
      Array<string>(n).fill(item),
    ),
  );
  return [...hands.filter((item) => item !== HIDDEN), ...counted];
}

const tally = (items: string[]): Map<string, number> =>
  items.reduce((counts, item) => counts.set(item, (counts.get(item) ?? 0) + 1), new Map<string, number>());

/** The tiles that lie on the board: those that are nowhere else. */
export function laidTiles(rules: Bots, position: Position): Map<string, number> {
  const unseen = unseenPart(rules);
  const seen = tally(visibleItems(rules, position));
  const hidden = (unseen ? (position as unknown as Fields)[unseen] : {}) as Record<string, number>;
  const remaining = [...copiesInBox(rules, position)].map(
    ([item, n]) => [item, n - (seen.get(item) ?? 0) - (hidden[item] ?? 0)] as const,
  );
  return new Map(remaining.filter(([, n]) => n));
}

/** Fill in the parts of a position that follow from the others, such as the unseen items. */
export function completePosition(rules: Bots, position: Position, laid: Map<string, number>): Position {
  const fields = position as unknown as Fields;
  const seen = tally(visibleItems(rules, position));
  const unseen = [...copiesInBox(rules, position)].map(([item, n]) => {
    const unseenCount = n - (seen.get(item) ?? 0) - (laid.get(item) ?? 0);
    if (unseenCount < 0) throw tooMany(rules, item, n);
    return [item, unseenCount] as const;
  });
  const name = unseenPart(rules);
  const hidden = itemParts(rules)
    .flatMap((part) => (fields[part] as Hands).flat())
    .filter((item) => item === HIDDEN).length;
  const number = unseen.reduce((sum, [, n]) => sum + n, 0);
  const tiles = [...laid.values()].reduce((sum, n) => sum + n, 0);
  const printed = printedOn(rules, position);
  return {
    ...position,
    ...(name && { [name]: Object.fromEntries(unseen.filter(([, n]) => n)) }),
    ...setupOf(rules.about.game).follows({ ...fields, printed }, tiles, number, hidden),
  } as Position;
}

const tooMany = ({ about }: Bots, item: string, n: number): InvalidPosition =>
  new InvalidPosition('analysis_too_many', { n, item: pairName(item) }, setupOf(about.game).clauses.items);

/** Decode a position to a state; throws if it is invalid. */
export function validateState(rules: Bots, position: Position): State {
  checkShape(rules, position);
  checkValues(rules, position);
  checkItems(rules, position);
  checkBoard(rules, position);
  if (Object.values(rules.about.phases).includes(position.phase)) checkSums(rules, position);
  let state: State;
  try {
    state = decodePosition(rules, position as EncodedPosition);
    if (!isSame(encodePosition<EncodedPosition>(rules, state, position.seen_by), position)) throw new Error();
  } catch {
    throw new InvalidPosition('analysis_inconsistent');
  }
  const turn = rules.turn(state);
  const movesKnown =
    turn !== null && (position.seen_by === turn || !JSON.stringify(position).includes(HIDDEN));
  if (movesKnown && !rules.legal(state).length)
    throw new InvalidPosition('analysis_no_move', { n: position.turn + 1 }, rules.about.clauses.end);
  return state;
}

const isInteger = (value: unknown): value is number => Number.isInteger(value);

function checkShape(rules: Bots, position: Position): void {
  const { about } = rules;
  const invalidPart = (what: string): InvalidPosition => new InvalidPosition('analysis_part', { what });
  if (!isGame(position.game)) throw invalidPart('game');
  if (!about.players.includes(position.players))
    throw new InvalidPosition('analysis_players', { n: String(position.players) });
  const options = Object.entries(position.options ?? {});
  const optionsValid = options.every(([name, value]) => about.options[name]?.includes(value));
  if (!optionsValid || options.length !== Object.keys(about.options).length) throw invalidPart('options');
  const isPlayer = (value: unknown): boolean => isInteger(value) && value >= 0 && value < position.players;
  if (!isPlayer(position.turn)) throw invalidPart('turn');
  if (position.seen_by !== null && !isPlayer(position.seen_by)) throw invalidPart('seen_by');
  const phases = [...Object.values(about.phases), ...about.occasions.map(({ word }) => word), 'over'];
  if (!phases.includes(position.phase)) throw invalidPart('phase');
  const isPerPlayer = (value: unknown): boolean => Array.isArray(value) && value.length === position.players;
  const validators: Record<Part['kind'], (value: unknown) => boolean> = {
    pool_size: isInteger,
    number: isInteger,
    name: (value) => value === null || typeof value === 'string',
    counts: (value) => Boolean(value) && typeof value === 'object' && Object.values(value!).every(isInteger),
    letters: (value) =>
      isPerPlayer(value) && (value as Hands).flat().every((entry) => typeof entry === 'string'),
    items: (value) =>
      isPerPlayer(value) && (value as Hands).flat().every((entry) => typeof entry === 'string'),
    rows: (value) => Array.isArray(value) && value.every((row) => typeof row === 'string'),
  };
  for (const [name, part] of Object.entries(about.shown.parts))
    if (!validators[part.kind]((position as unknown as Fields)[name])) throw invalidPart(name);
  const isValueRow = (row: unknown): boolean =>
    Array.isArray(row) && row.length === 6 && row.every(isInteger);
  if (!isPerPlayer(position.values) || !position.values.every(isValueRow)) throw invalidPart('values');
}

/** Values within their rows; C10, D11: no row is in an area that another one bars. */
function checkValues({ about }: Bots, position: Position): void {
  const { clauses } = setupOf(about.game);
  position.values.forEach((row, player) => {
    const n = player + 1;
    row.forEach((value, at) => {
      if (value < 0 || value > about.last)
        throw new InvalidPosition(
          'analysis_value',
          { n, symbol: symbolName(LETTERS[at]!), value, last: about.last },
          clauses.values,
        );
    });
    const [lowest, highest] = [Math.min(...row), Math.max(...row)];
    about.areas.forEach((end, area) => {
      const needed = area === 0 ? 1 : about.areas[area - 1]! + 1;
      if (about.areas[area + 1] !== undefined && highest > end && lowest < needed)
        throw new InvalidPosition('analysis_barred', { n, value: highest, needed }, clauses.areas);
    });
    if (position.phase !== 'over' && lowest >= about.goal)
      throw new InvalidPosition('analysis_over', { n }, about.ends.at(-1)!.clause);
  });
}

/** No more items than there are in the box, and no more in a hand than allowed. */
function checkItems(rules: Bots, position: Position): void {
  const { about } = rules;
  const { clauses, sizes } = setupOf(about.game);
  const fields = position as unknown as Fields;
  const limits = sizes(position.players);
  for (const name of [...itemParts(rules), ...letterParts(rules)])
    (fields[name] as Hands).forEach((hands, player) => {
      const unknownItem = hands.find((item) => item !== HIDDEN && !about.items.includes(item));
      if (unknownItem !== undefined)
        throw new InvalidPosition('analysis_item', { item: unknownItem }, clauses.items);
      if (hands.length > limits[name]!.most)
        throw new InvalidPosition(
          'analysis_held',
          { n: player + 1, many: hands.length, most: limits[name]!.usual },
          clauses.held[name],
        );
    });
  if (!isHiddenConsistently(rules, position))
    throw new InvalidPosition('analysis_hidden', {}, clauses.hidden);
  const copies = copiesInBox(rules, position);
  for (const [item, n] of tally(visibleItems(rules, position)))
    if (copies.size && n > (copies.get(item) ?? 0)) throw tooMany(rules, item, copies.get(item) ?? 0);
}

/** The same parts, in whatever order. */
const isSame = (a: unknown, b: unknown): boolean => canonicalJson(a) === canonicalJson(b);
const canonicalJson = (value: unknown): string =>
  JSON.stringify(value, (_, inner: unknown) =>
    inner && typeof inner === 'object' && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).toSorted())
      : inner,
  );

/** Every item is in exactly one place: the unseen ones are the remainder, and the board matches its tiles. */
function checkSums(rules: Bots, position: Position): void {
  const laid = laidTiles(rules, position);
  if ([...laid.values()].some((n) => n < 0) || !isSame(completePosition(rules, position, laid), position))
    throw new InvalidPosition('analysis_inconsistent', {}, setupOf(rules.about.game).clauses.items);
  const tiles = [...laid].flatMap(([item, n]) => [...item.repeat(n)]);
  if (tiles.toSorted().join('') !== lettersLaid(rules, position).toSorted().join(''))
    throw new InvalidPosition('analysis_inconsistent', {}, setupOf(rules.about.game).clauses.items);
}

/** The rows of a board before anything is laid. */
export const printedOn = (rules: Bots, { players, options }: Position): string[] => {
  const initial = encodePosition<EncodedPosition>(rules, rules.start(players, options), null);
  return (initial as unknown as Record<string, string[]>)[boardPart(rules) ?? ''] ?? [];
};

/** The symbols on a board that are not printed. */
function lettersLaid(rules: Bots, position: Position): string[] {
  const name = boardPart(rules);
  if (!name) return [];
  const printed = printedOn(rules, position).join('');
  const rows = (position as unknown as Record<string, string[]>)[name]!;
  return [...rows.join('')].filter((letter, cell) => letter !== FREE && printed[cell] === FREE);
}

/** T4, C3: if anything is hidden, one seat knows its own hand and all other hands are hidden. */
function isHiddenConsistently(rules: Bots, position: Position): boolean {
  const fields = position as unknown as Fields;
  return itemParts(rules).every((name) => {
    const hands = fields[name] as Hands;
    const hidden = hands.map((items) => items.some((item) => item === HIDDEN));
    const allOrNothing = hands.every(
      (items, player) => !hidden[player] || items.every((item) => item === HIDDEN),
    );
    const othersHidden = hidden.every(
      (isHidden, player) => isHidden !== (player === position.seen_by) || !hands[player]!.length,
    );
    return !hidden.includes(true) || (allOrNothing && position.seen_by !== null && othersHidden);
  });
}

/** T1: the printed symbols are where they are; two cells for each tile. */
function checkBoard(rules: Bots, position: Position): void {
  const name = boardPart(rules);
  if (!name) return;
  const { board: clause } = setupOf(rules.about.game).clauses;
  const fields = position as unknown as Fields;
  const printed = printedOn(rules, position);
  const rows = fields[name] as string[];
  if (rows.map((row) => row.length).join() !== printed.map((row) => row.length).join())
    throw new InvalidPosition('analysis_part', { what: name }, clause);
  const letters = [...rows.join('')];
  const unknownLetter = letters.find((letter) => letter !== FREE && !isLetter(letter));
  if (unknownLetter !== undefined)
    throw new InvalidPosition('analysis_item', { item: unknownLetter }, clause);
  [...printed.join('')].forEach((letter, cell) => {
    if (letter !== FREE && letters[cell] !== letter)
      throw new InvalidPosition(
        'analysis_corner',
        { cell: rules.about.cells[cell]!, symbol: isLetter(letter) ? symbolName(letter) : '' },
        clause,
      );
  });
}
