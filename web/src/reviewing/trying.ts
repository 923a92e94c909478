/** Trying a decision again: how good another move would have been. */
import type { Decision } from '../review/types';
import type { Bots, State } from '../rules';

/** As good as the best within what is known for sure, better than before, the same as before, worse, or not judged. */
export type Verdict = 'best' | 'better' | 'same' | 'worse' | 'unknown';

// Less is no difference between two moves; nor is what may be chance.
const NOTHING = 0.25;
const SURE = 2;

/** What is left to gain after a move that is tried. */
export interface Judged {
  verdict: Verdict;
  behind: number;
}

/** `state` is the one before the decision. Moves that lead to the same position are one. */
export function judged(rules: Bots, state: State, step: Decision, move: string): Judged {
  const world = rules.guess(rules.hide(state, step.player), step.player, rules.chance(0));
  const after = (text: string): string => String(rules.act(world, rules.spelling.number(text)!));
  const led = after(move);
  const found = step.candidates.find((one) => after(one.move) === led);
  if (!found) return { verdict: 'unknown', behind: 0 };
  const behind = step.best_chance - found.chance;
  if (after(step.best) === led || behind <= Math.max(NOTHING, SURE * found.error))
    return { verdict: after(step.move) === led ? 'same' : 'best', behind };
  if (after(step.move) === led) return { verdict: 'same', behind };
  return { verdict: found.chance > step.chance + NOTHING ? 'better' : 'worse', behind };
}
