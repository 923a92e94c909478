/** Where a lesson of the dice game points to. */
import { say, symbolName } from '../../lib/language.svelte';
import { findButton } from '../../lessons/targets';
import { parseJoker } from './jokers';

export function target(table: Element, move: string): Element | undefined {
  if (move === 'reroll') return findButton(table, say('reroll'));
  const joker = parseJoker(move.split(' ')[1] ?? '');
  if (!joker) return findButton(table, say('score'));
  const dice = say('group', { n: joker.number, symbol: symbolName(joker.letter) });
  const row = table.querySelector(`.mine [data-row=${joker.target}] button`);
  if (findButton(table, dice, false)) return findButton(table, dice);
  return row?.getAttribute('aria-pressed') === 'false' ? row : findButton(table, say('score'));
}
