/** Where a lesson of the travel edition points to. */
import { say } from '../../lib/language.svelte';
import { findButton } from '../../lessons/targets';
import { findPair } from '../shared/pairs';

export function target(table: Element, move: string): Element | undefined {
  const [, tile, cell] = move.split(' ');
  if (!tile) return findButton(table, say('swap'));
  const selected = findPair(table, tile, true);
  if (!selected) return findPair(table, tile, false);
  return findButton(table, say('place')) ?? table.querySelector(`[data-cell=${cell}]`) ?? selected;
}
