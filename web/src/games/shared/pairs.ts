/** Tiles and cards: items with two symbols. */
import { pairName } from '../../lib/language.svelte';
import { findButton } from '../../lessons/targets';

/** The button of an item in hand, whichever way round it lies. */
export function findPair(table: Element, item: string, selected: boolean): Element | undefined {
  const names = [item, [...item].reverse().join('')].map(pairName);
  return names.map((name) => findButton(table, name, selected)).find(Boolean);
}
