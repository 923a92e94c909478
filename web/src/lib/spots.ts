/** Where a lesson's light falls: the only place that knows how the tables are built. */
import { pairName, say, symbolName } from './language.svelte';
import { isLetter } from './symbols';

const PARTS: Record<string, string> = {
  sheets: '[data-part=sheets], .sheet',
  others: '[data-part=others], .others',
  hand: '[data-part=hand], .hand, .roll',
  board: '[data-part=board], .board',
  scores: '[data-part=scores], .scores',
  open: '[data-part=open], .open',
};

const visible = (element: Element): boolean => element.getClientRects().length > 0;

/** The parts of a table that have this name. */
export function partsOf(table: Element, part: string): Element[] {
  for (const selector of (PARTS[part] ?? '').split(', ').filter(Boolean)) {
    const found = [...table.querySelectorAll(selector)].filter(visible);
    if (found.length) return found;
  }
  return [];
}

const named = (button: Element): string => button.getAttribute('aria-label') ?? button.textContent ?? '';

/** The button that can be pressed and is called so. */
function button(table: Element, name: string, pressed?: boolean): Element | undefined {
  return [...table.querySelectorAll('button, [role=button], [role=radio]')].find(
    (one) =>
      visible(one) &&
      !one.matches(':disabled') &&
      named(one).trim().startsWith(name) &&
      (pressed === undefined ||
        (one.getAttribute('aria-pressed') ?? one.getAttribute('aria-checked')) === String(pressed)),
  );
}

const start = (sentence: string): string => sentence.split(/[ (]/)[0]!;

/** What to touch next for a move, as far as it is prepared already. */
export function nextTouch(table: Element, move: string): Element | undefined {
  const [word = '', item = '', ...rest] = move.split(' ');
  if (word === 'place') return placing(table, item, rest);
  if (word === 'play') return playing(table, item);
  if (word === 'score') return item ? jokering(table, item) : button(table, say('score'));
  if (word === 'reroll') return button(table, start(say('reroll')));
  if (word === 'swap') return button(table, say('swap'));
  if (word === 'renew') return button(table, say('renew'));
  return undefined;
}

function placing(table: Element, tile: string, cells: string[]): Element | undefined {
  const names = [tile, [...tile].reverse().join('')].map(pairName);
  const held = names.map((name) => button(table, name, true)).find(Boolean);
  if (!held) return names.map((name) => button(table, name, false)).find(Boolean);
  return button(table, say('place')) ?? table.querySelector(`[data-cell=${cells[0]}]`) ?? held;
}

function playing(table: Element, card: string): Element | undefined {
  const names = [card, [...card].reverse().join('')].map(pairName);
  const held = names.map((name) => button(table, name, true)).find(Boolean);
  if (!held) return names.map((name) => button(table, name, false)).find(Boolean);
  return (
    table.querySelector(`[data-move="play ${card}"]`) ??
    [...table.querySelectorAll('.order')][pairName(card) === named(held) ? 0 : 1] ??
    held
  );
}

function jokering(table: Element, joker: string): Element | undefined {
  const [letter = '', number = '', , target = ''] = joker;
  if (!isLetter(letter) || !isLetter(target)) return undefined;
  if (button(table, symbolName(target), true)) return button(table, say('score'));
  return (
    button(table, symbolName(target), false) ??
    button(table, say('group', { n: number, symbol: symbolName(letter) })) ??
    button(table, say('score'))
  );
}
