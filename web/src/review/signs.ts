/** Which sign stands beside a step. */
import type { SignName } from '../ui/ReviewSign.svelte';
import type { Step } from './engine/types';
import { isLuck } from './moments';

export function signOf(step: Step): SignName | null {
  if (step.kind === 'decision') return step.mark;
  if (!isLuck(step)) return null;
  return step.luck > 0 ? 'lucky' : 'unlucky';
}
