/** Trying a decision again: how good another move would have been. */
import constants from '../../../src/sixfold/review/constants.json';
import type { Decision } from './engine/types';
import type { Bots, State } from '../rules';

/** As good as the best within what is known for sure, better than before, the same as before, or worse. */
export type Verdict = 'best' | 'better' | 'same' | 'worse';

const { min_difference: MIN_DIFFERENCE, confidence: SIGMAS } = constants;

/** What is left to gain after a move that is tried: points, or where all is decided, steps of margin. */
export interface TriedMove {
  verdict: Verdict;
  behind: number;
  margin: boolean;
}

/** The verdict on a move that the review already contains; null if it must be evaluated. `state` precedes the decision.
 *  Moves that lead to the same position count as one. */
export function knownVerdict(rules: Bots, state: State, step: Decision, move: string): TriedMove | null {
  const sample = rules.guess(rules.hide(state, step.player), step.player, rules.chance(0));
  const after = (text: string): string => String(rules.act(sample, rules.notation.number(text)!));
  const result = after(move);
  const margin = step.margin !== null;
  if (after(step.move) === result)
    return { verdict: 'same', behind: step.margin ?? step.best_chance - step.chance, margin };
  if (after(step.best) === result) return { verdict: 'best', behind: 0, margin };
  const candidate = margin ? undefined : step.candidates.find((entry) => after(entry.move) === result);
  if (!candidate) return null;
  const behind = step.best_chance - candidate.chance;
  if (behind <= Math.max(MIN_DIFFERENCE, SIGMAS * candidate.error))
    return { verdict: 'best', behind, margin };
  return { verdict: candidate.chance > step.chance + MIN_DIFFERENCE ? 'better' : 'worse', behind, margin };
}

/** A move that was thought about, beside that of the game. */
export function compareTried(step: Decision, tried: Decision): TriedMove {
  if (step.margin === null || tried.margin === null) {
    const better = step.margin === null && tried.cost < step.cost - MIN_DIFFERENCE;
    const verdict = tried.cost === 0 ? 'best' : better ? 'better' : 'worse';
    return { verdict, behind: tried.cost, margin: false };
  }
  const verdict = tried.mark === null ? 'best' : tried.margin < step.margin ? 'better' : 'worse';
  return { verdict, behind: tried.margin, margin: true };
}
