/** A hint as advice: what to do, and why. */
import { pairName, say, symbolName } from './language.svelte';
import { isLetter } from './symbols';
import type { HintShown } from './types';

/** "3 × blue as a joker for red", for each of them. */
function jokers(tokens: string[]): string {
  return tokens
    .map((token) => {
      const [, letter = '', n = '', target = ''] = /^(\w)(\d)>(\w)$/.exec(token) ?? [];
      if (!isLetter(letter) || !isLetter(target)) return token;
      return say('log_joker', { n, symbol: symbolName(letter), target: symbolName(target) });
    })
    .join(', ');
}

/** A move in the notation as something to do. */
export function adviceFor(move: string): string {
  const [word = '', item = '', ...rest] = move.split(' ');
  if (word === 'place') return say('advise_place', { tile: pairName(item) });
  if (word === 'play') {
    const first = item[0] ?? '';
    return say('advise_play', { card: pairName(item), first: isLetter(first) ? symbolName(first) : first });
  }
  if (word === 'score' && item) return say('advise_score_joker', { jokers: jokers([item, ...rest]) });
  if (word === 'score') return say('advise_score');
  if (word === 'reroll') return say('advise_reroll');
  if (word === 'swap') return say('advise_swap');
  if (word === 'renew') return say('advise_renew');
  return say('advise_keep');
}

export const hintInWords = (hint: HintShown): string =>
  say('hint_because', { move: adviceFor(hint.move), reason: hint.reason });
