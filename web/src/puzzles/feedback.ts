/** Feedback on a wrong answer that does not give the solution away. */
import { say } from '../lib/language.svelte';
import type { GameName } from '../lib/types';
import { difference } from '../lib/ranking';
import { isSameMove, type PuzzleState } from './puzzles';

/** The player's six values after a move, as far as chance has no part in them. */
const valuesAfter = ({ rules, view, puzzle }: PuzzleState, move: string): number[] =>
  rules.values(rules.act(view, rules.notation.number(move)!))[puzzle.player]!;

const sum = (values: number[]): number => values.reduce((total, value) => total + value, 0);

/** How far a move is behind the answer, in whole points; `least` where it may be more. */
export function behind(posed: PuzzleState, move: string): { points: number; least: boolean } {
  const { lead, other } = posed.puzzle;
  return isSameMove(posed, move, other)
    ? { points: Math.round(lead), least: false }
    : { points: Math.floor(lead), least: true };
}

/** The same for a move that is not in the puzzle file, evaluated in the browser. */
export async function measureCost(
  game: GameName,
  { puzzle, view }: PuzzleState,
  move: string,
  signal: AbortSignal,
): Promise<number> {
  const { evaluateMove } = await import('../review/engine');
  const { cost } = await evaluateMove(game, view, puzzle.player, puzzle.events.length, move, signal);
  // Every other move is behind by at least the lead of the best one.
  return Math.round(Math.max(cost, puzzle.lead));
}

export function whyNot(posed: PuzzleState, move: string): string {
  const [own, best] = [valuesAfter(posed, move), valuesAfter(posed, posed.puzzle.answers[0]!)];
  const lead = difference(best, own);
  if (!lead) return say('puzzle_why_same');
  const { at, ahead, behind } = lead;
  if (ahead > behind) return at === 0 ? say('puzzle_why_lowest', { ahead, behind }) : say('puzzle_why_low');
  const more = sum(own) - sum(best);
  return more > 0 ? say('puzzle_why_later', { n: more }) : say('puzzle_why_same');
}
