/** Where a lesson of the card game points to. */
import { pairName, say } from '../../lib/language.svelte';
import { findButton } from '../../lessons/targets';
import { findPair } from '../shared/pairs';

export function target(table: Element, move: string): Element | undefined {
  const [, card] = move.split(' ');
  if (!card) return findButton(table, say('renew'));
  if (!findPair(table, card, true)) return findPair(table, card, false);
  const first = table.querySelector('[data-part=action] .step [aria-label]')?.getAttribute('aria-label');
  const isReversed = first !== pairName(card[0]!);
  return (
    (isReversed ? findButton(table, say('swap_order')) : undefined) ?? findButton(table, say('play_card'))
  );
}
