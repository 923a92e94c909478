/** A review in words: events, reasons and numbers. */
import {
  gains,
  language,
  formatList,
  pairName,
  say,
  sayOf,
  symbolName,
  type Key,
} from '../lib/language.svelte';
import { isLetter } from '../lib/symbols';
import type { Part } from '../games/game';
import { deciderOf, moveOf } from '../rules';
import { logLines, shortMoveParts, type Line } from '../table/log-text';
import type { Step } from './engine/types';
import { gained, type Stops } from './stops';
import { whyBetter, whyLucky, type Reason } from './reasons';

/** The players' names; `own` is the reader's player number. */
export interface PlayerNames {
  names: string[];
  own: number | null;
}

/** Points with one digit after the comma where they are small. */
export const points = (number: number): string =>
  new Intl.NumberFormat(language(), { maximumFractionDigits: Math.abs(number) < 10 ? 1 : 0 }).format(number);
export const signed = (number: number): string =>
  new Intl.NumberFormat(language(), { maximumFractionDigits: 1, signDisplay: 'exceptZero' }).format(number);

export function reasonText(reason: Reason, { names, own }: PlayerNames): string {
  const { key, player, other, symbol, raised, gains: bothGains, piece, words } = reason;
  const [more, less] = bothGains?.map((numbers) => gains(numbers) || say('nothing')) ?? [];
  const [symbols, others] =
    raised?.map((letters) => formatList(letters.filter(isLetter).map(symbolName))) ?? [];
  return sayOf(key, names[player]!, player === own, {
    other: other === undefined ? '' : other === own ? say('review_you') : names[other]!,
    symbol: symbol && isLetter(symbol) ? symbolName(symbol) : '',
    piece: piece ? pairName(piece) : '',
    more: more ?? '',
    less: less ?? '',
    symbols: symbols ?? '',
    others: others ?? '',
    ...Object.fromEntries(Object.entries(words).map(([name, n]) => [name, points(Number(n))])),
  });
}

/** The log line of one event. */
export function eventLine(stops: Stops, number: number, { names, own }: PlayerNames): Line {
  const line = stops.record.events[number - 1]!;
  const nameOf = (player: number): string => (player === own ? say('you_name') : names[player]!);
  const player = deciderOf(line);
  if (player !== null) {
    const parts: Part[] = [`${nameOf(player)}: `, ...shortMoveParts(stops.record.game, moveOf(line))];
    const totals = gained(stops, number);
    return totals.some(Boolean) ? { parts, gained: totals } : { parts };
  }
  const participant = (other: number): { name: string; you: boolean } => ({
    name: names[other]!,
    you: other === own,
  });
  const [rolled] = logLines(stops.record.game, [line], null, participant);
  if (rolled) return rolled;
  const [word = '', drawingPlayer = '', ...items] = line.split(' ');
  const pieces = items.flatMap((item): Part[] => [' ', { item, words: pairName(item) }]);
  const key = `review_chance_${word}`;
  return {
    parts: [sayOf(key as Key, names[Number(drawingPlayer)]!, Number(drawingPlayer) === own), ...pieces],
  };
}

// Reasons are expensive to compute and are needed on every re-render, hence the cache.
const reasonCache = new WeakMap<Step, Reason>();

function reasonFor({ rules, states }: Stops, step: Step): Reason {
  const { number, player } = step;
  return step.kind === 'decision'
    ? whyBetter(rules, states[number - 1]!, player, step.best, step.move)
    : whyLucky(rules, states[number]!, player, step.event, step.luck);
}

/** Why a decision was wrong, or what a draw was good for: one sentence. */
export function explainStep(stops: Stops, step: Step, called: PlayerNames): string {
  const reason = reasonCache.get(step) ?? reasonFor(stops, step);
  reasonCache.set(step, reason);
  return reasonText(reason, called);
}

/** What a step came to, in points. */
export function outcomeText(step: Step): string {
  if (step.kind === 'draw')
    return say(step.luck < 0 ? 'review_unlucky_by' : 'review_lucky_by', {
      points: points(Math.abs(step.luck)),
    });
  if (step.forced) return say('review_forced');
  if (!step.mark) return say(step.best === step.move || !step.cost ? 'review_best' : 'review_good');
  if (step.margin !== null) return say('review_margin', { steps: points(step.margin) });
  return say('review_cost', { points: points(step.cost) });
}
