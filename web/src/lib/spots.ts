/** Where a lesson's light falls: the only place that knows how the tables are built. */
import { pairName, say, symbolName } from './language.svelte';
import { isLetter } from './symbols';

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

/** What to touch next for a move, as far as it is prepared already. */
export function nextTouch(table: Element, move: string): Element | undefined {
  const [word = '', item = '', ...rest] = move.split(' ');
  if (word === 'place') return placing(table, item, rest);
  if (word === 'play') return playing(table, item);
  if (word === 'score') return item ? jokering(table, item) : button(table, say('score'));
  if (word === 'reroll') return button(table, say('reroll'));
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
  const first = table.querySelector('[data-part=action] .step [aria-label]')?.getAttribute('aria-label');
  const turned = isLetter(card[0] ?? '') && first !== pairName(card[0]!);
  return (turned ? button(table, say('swap_order')) : undefined) ?? button(table, say('play_card'));
}

function jokering(table: Element, joker: string): Element | undefined {
  const [letter = '', number = '', , target = ''] = joker;
  if (!isLetter(letter)) return undefined;
  const dice = say('group', { n: number, symbol: symbolName(letter) });
  const row = table.querySelector(`.mine [data-row=${target}] button`);
  if (button(table, dice, false)) return button(table, dice);
  return row?.getAttribute('aria-pressed') === 'false' ? row : button(table, say('score'));
}
