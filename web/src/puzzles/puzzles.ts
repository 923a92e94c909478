/** The puzzles that ship: decisions with one right answer, made and confirmed by `sixfold puzzles`. */
import { rulesOf } from '../lib/rules';
import type { GameName } from '../lib/types';
import { stepsOf, type Bots, type State } from '../rules';

/** As `src/sixfold/review/puzzles.py` keeps it; chances are in points, hundredths of the winning chance. */
export interface Puzzle {
  /** What led to the position. */
  events: string[];
  player: number;
  answers: string[];
  chance: number;
  /** The best of the others, and by how much it is behind. */
  other: string;
  lead: number;
  strength: number;
}
interface Collection {
  players: number;
  puzzles: Puzzle[];
}

const FILES = import.meta.glob<Collection>('../../../src/sixfold/review/puzzles-*.json', {
  import: 'default',
});
const collection = (game: GameName): Promise<Collection> =>
  FILES[`../../../src/sixfold/review/puzzles-${game}.json`]!();

export const puzzlesOf = async (game: GameName): Promise<Puzzle[]> => (await collection(game)).puzzles;

/** A puzzle as it is posed: what its player knows, and what happened in the turn before. */
export interface PuzzleState {
  rules: Bots;
  puzzle: Puzzle;
  players: number;
  view: State;
  events: string[];
  gained: number[];
}

export async function loadPuzzle(game: GameName, number: number): Promise<PuzzleState | null> {
  const [rules, { players, puzzles }] = await Promise.all([rulesOf(game), collection(game)]);
  const puzzle = puzzles[number - 1];
  return puzzle ? puzzleStateOf(rules, players, puzzle) : null;
}

export function puzzleStateOf(rules: Bots, players: number, puzzle: Puzzle): PuzzleState {
  const { state, events, gained } = stepsOf(rules, rules.start(players), puzzle.events).at(-1)!;
  return { rules, puzzle, players, view: rules.hide(state, puzzle.player), events, gained };
}

/** Do two moves come to the same? */
export function isSameMove(
  { rules, view }: Pick<PuzzleState, 'rules' | 'view'>,
  a: string,
  b: string,
): boolean {
  const resultOf = (move: string): string => rules.act(view, rules.notation.number(move)!).join();
  return a === b || resultOf(a) === resultOf(b);
}

export const isRight = (posed: PuzzleState, move: string): boolean =>
  isSameMove(posed, move, posed.puzzle.answers[0]!);
