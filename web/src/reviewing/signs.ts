/** Which sign stands beside a step. */
import type { SignName } from '../parts/Sign.svelte';
import type { Step } from '../review/types';

// Less is neither luck nor bad luck worth a sign.
const NOTABLE = 3;

export function signOf(step: Step): SignName | null {
  if (step.kind === 'decision') return step.mark;
  if (Math.abs(step.luck) < NOTABLE) return null;
  return step.luck > 0 ? 'lucky' : 'unlucky';
}
