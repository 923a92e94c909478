/** Encodes states as the positions of a view, and decodes positions back to states. */
import type { Part } from './manifest';
import type { State } from './memory';
import { CHANCE, HIDDEN, OVER, type GameName, type Rules } from './rules';

/** What every game shows; a game's own parts stand beside it. */
export interface EncodedPosition {
  game: string;
  players: number;
  options: Record<string, boolean | string>;
  seen_by: number | null;
  phase: string;
  turn: number;
  values: number[][];
}

type Fields = Record<string, unknown>;
const NO_ITEM = -1;
const EMPTY_CELL = '.';

/** Encode a state as a seat's position; the state must already be hidden for that seat. */
export const encodePosition = <Position extends EncodedPosition>(
  rules: Rules<GameName>,
  state: State,
  seat: number | null,
): Position => JSON.parse(rules.encode(state, seat)) as Position;

/** Decode a position to the state that its seat knows. */
export function decodePosition(rules: Rules<GameName>, position: EncodedPosition): State {
  const { about } = rules;
  const start = rules.start(position.players, position.options);
  const initial = rules.fields(start) as unknown as Fields;
  const words = about.occasions.map(({ word }) => word);
  const phases = Object.entries(about.phases).map(([number, word]) => [word, Number(number)] as const);
  const fields: Fields = {
    phase: new Map([...phases, ['over', OVER]]).get(position.phase) ?? CHANCE,
    turn: position.turn,
    [about.shown.values]: overlay(initial[about.shown.values] as number[][], position.values),
  };
  if (about.shown.stage !== null) {
    const stage = words.indexOf(position.phase);
    fields[about.shown.stage] = stage < 0 ? words.length - 1 : stage;
  }
  for (const [name, part] of Object.entries(about.shown.parts))
    decodeField(rules, initial, fields, part, (position as unknown as Fields)[name]);
  return rules.withDerivedFields(rules.withFields(start, fields));
}

/** The fields of a table's view that follow from its position. */
export interface DerivedView {
  legal: string[];
  previews: number[][];
  earned: number[][];
  lines: Record<string, Record<string, string[]>>;
  reach: number[];
}

/** Derive the view fields of a position; moves and previews are filled in for the active player only. */
export function deriveView(rules: Rules<GameName>, state: State, player: number | null): DerivedView {
  const reach = rules.reach(state);
  if (player === null || rules.turn(state) !== player)
    return { legal: [], previews: [], earned: [], lines: {}, reach };
  const moves = rules.legal(state);
  // Where there is a board, the lines say what a move earns.
  const lines = rules.lines(state);
  return {
    legal: moves.map((move) => rules.notation.text(move)!),
    previews: rules.previews(state, moves),
    earned: Object.keys(lines).length ? [] : rules.earned(state, moves),
    lines,
    reach,
  };
}

/** Replace the leading entries and keep the rest. */
const overlay = <Row>(rows: Row[], replacement: Row[]): Row[] =>
  rows.map((row, at) => replacement[at] ?? row);

function decodeField(
  rules: Rules<GameName>,
  initial: Fields,
  fields: Fields,
  part: Part,
  value: unknown,
): void {
  const { items, symbols } = rules.about;
  if (part.kind === 'pool_size') return;
  const rows = initial[part.field] as number[][];
  switch (part.kind) {
    case 'number':
      fields[part.field] = value;
      return;
    case 'name':
      fields[part.field] = value === null ? NO_ITEM : part.names.indexOf(value as string);
      return;
    case 'counts':
      fields[part.field] = items.map((name) => (value as Record<string, number>)[name] ?? 0);
      return;
    case 'letters': {
      const countLetters = (row: string[]): number[] =>
        [...symbols].map((letter) => row.filter((entry) => entry === letter).length);
      fields[part.field] = overlay(rows, (value as string[][]).map(countLetters));
      return;
    }
    case 'items': {
      const hands = value as string[][];
      const numbers = hands.map((names, player) =>
        overlay(
          rows[player]!,
          names.map((name) => (name === HIDDEN ? NO_ITEM : items.indexOf(name))),
        ),
      );
      fields[part.field] = overlay(rows, numbers);
      fields[part.size] = overlay(
        initial[part.size] as number[],
        hands.map(({ length }) => length),
      );
      return;
    }
    case 'rows': {
      const letters = [...(value as string[]).join('')];
      const cells = letters.map((letter) => (letter === EMPTY_CELL ? NO_ITEM : symbols.indexOf(letter)));
      fields[part.field] = overlay(initial[part.field] as number[], cells);
    }
  }
}
