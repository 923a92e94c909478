/** Which elements a lesson highlights: the only module that knows the DOM of the tables. */
import { pairName, say, symbolName } from '../lib/language.svelte';
import { isLetter } from '../lib/symbols';

const PARTS: Record<string, string> = {
  sheets: '.mine',
  scores: '.track',
  others: '.others',
  hand: '[data-part=hand]',
  board: '[data-part=board]',
  open: '.open[role=img]',
};

const visible = (element: Element): boolean => element.getClientRects().length > 0;

/** The parts of a table that have this name. */
export const partsOf = (table: Element, part: string): Element[] =>
  [...table.querySelectorAll(PARTS[part] ?? '')].filter(visible);

const labelOf = (findButton: Element): string =>
  findButton.getAttribute('aria-label') ?? findButton.textContent ?? '';

/** The enabled button whose label begins with `name`. */
function findButton(table: Element, name: string, pressed?: boolean): Element | undefined {
  return [...table.querySelectorAll('button, [role=button], [role=radio]')].find(
    (element) =>
      visible(element) &&
      !element.matches(':disabled') &&
      labelOf(element).trim().startsWith(name) &&
      (pressed === undefined ||
        (element.getAttribute('aria-pressed') ?? element.getAttribute('aria-checked')) === String(pressed)),
  );
}

/** The next element to tap for a move, given what is already selected. */
export function nextTarget(table: Element, move: string): Element | undefined {
  const [word = '', item = '', ...rest] = move.split(' ');
  if (word === 'place') return placeTarget(table, item, rest);
  if (word === 'play') return playTarget(table, item);
  if (word === 'score') return item ? jokerTarget(table, item) : findButton(table, say('score'));
  if (word === 'reroll') return findButton(table, say('reroll'));
  if (word === 'swap') return findButton(table, say('swap'));
  if (word === 'renew') return findButton(table, say('renew'));
  return undefined;
}

function placeTarget(table: Element, tile: string, cells: string[]): Element | undefined {
  const names = [tile, [...tile].reverse().join('')].map(pairName);
  const selected = names.map((name) => findButton(table, name, true)).find(Boolean);
  if (!selected) return names.map((name) => findButton(table, name, false)).find(Boolean);
  return findButton(table, say('place')) ?? table.querySelector(`[data-cell=${cells[0]}]`) ?? selected;
}

function playTarget(table: Element, card: string): Element | undefined {
  const names = [card, [...card].reverse().join('')].map(pairName);
  const selected = names.map((name) => findButton(table, name, true)).find(Boolean);
  if (!selected) return names.map((name) => findButton(table, name, false)).find(Boolean);
  const first = table.querySelector('[data-part=action] .step [aria-label]')?.getAttribute('aria-label');
  const isReversed = isLetter(card[0] ?? '') && first !== pairName(card[0]!);
  return (
    (isReversed ? findButton(table, say('swap_order')) : undefined) ?? findButton(table, say('play_card'))
  );
}

function jokerTarget(table: Element, joker: string): Element | undefined {
  const [letter = '', number = '', , target = ''] = joker;
  if (!isLetter(letter)) return undefined;
  const dice = say('group', { n: number, symbol: symbolName(letter) });
  const row = table.querySelector(`.mine [data-row=${target}] button`);
  if (findButton(table, dice, false)) return findButton(table, dice);
  return row?.getAttribute('aria-pressed') === 'false' ? row : findButton(table, say('score'));
}
