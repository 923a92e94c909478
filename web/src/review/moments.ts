/** What decided a game, and what can be done better. */
import type { Decision, Draw, Review, Step } from './engine/types';

// A draw counts as luck above this many points, if it is also this many standard errors from the average.
const MIN_LUCK = 3;
const SIGMAS = 2;

export const isLuck = ({ luck, error }: Draw): boolean =>
  Math.abs(luck) >= Math.max(MIN_LUCK, SIGMAS * error);

/** How much a step changed: what a decision cost, or by how much a draw was better or worse than the average. */
export const weightOf = (step: Step): number =>
  step.kind === 'decision' ? (step.mark ? step.cost : 0) : Math.abs(step.luck);

/** The steps that changed most, in the order of the game. */
export function moments(steps: Iterable<Step>, maxMoments = 3): Step[] {
  return [...steps]
    .filter((step) => (step.kind === 'draw' ? isLuck(step) : weightOf(step) > 0))
    .sort((one, other) => weightOf(other) - weightOf(one))
    .slice(0, maxMoments)
    .sort((one, other) => one.number - other.number);
}

/** The decisions of a player that are marked: they cost chances or, in a decided game, margin. */
export const mistakesOf = ({ steps }: Pick<Review, 'steps'>, player: number): Decision[] =>
  steps.filter(
    (step): step is Decision => step.kind === 'decision' && step.player === player && step.mark !== null,
  );

/** With more than two players a chance is the share of the others that one is ahead of: the place that means. */
export const placeOf = (points: number, players: number): number => 1 + (players - 1) * (1 - points / 100);
