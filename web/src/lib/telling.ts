/** Events in words, for the log, for screen readers and for the line about the last move. */
import { gains, knows, levelName, pairName, say, symbolName, type Key } from './language.svelte';
import { seatName } from './names';
import { isLetter } from './symbols';
import type { EventShown, View } from './types';

const symbols = (letters: string[]): string => letters.filter(isLetter).map(symbolName).join(', ');

function jokers(tokens: string[]): string {
  return tokens
    .map((token) => /^(\w)(\d)>(\w)$/.exec(token))
    .map((found) => {
      const [, letter = '', number = '', target = ''] = found ?? [];
      if (!isLetter(letter) || !isLetter(target)) return '';
      return say('log_joker', { n: number, symbol: symbolName(letter), target: symbolName(target) });
    })
    .join(', ');
}

/** A decision in the notation, without the player's number. */
export function moveInWords(move: string, name: string): string {
  const [word = '', ...rest] = move.split(' ');
  if (word === 'place')
    return say('log_place', { name, tile: pairName(rest[0] ?? ''), cells: rest.slice(1).join(' ') });
  if (word === 'play') return say('log_play', { name, card: pairName(rest[0] ?? '') });
  if (word === 'score')
    return rest.length ? say('log_score_joker', { name, jokers: jokers(rest) }) : say('log_score', { name });
  const key = `log_${word}`;
  return knows(key) ? say(key, { name }) : `${name}: ${move}`;
}

/** What chance did in public. */
function chanceInWords(text: string, name: (player: number) => string): string {
  const [word, player, ...items] = text.split(' ');
  if (word === 'roll') return say('log_roll', { name: name(Number(player)), dice: symbols(items) });
  return '';
}

export function lines(
  events: string[],
  gained: number[] | null | undefined,
  name: (player: number) => string,
): string[] {
  return events
    .map((text) => {
      const [player = '', ...words] = text.split(' ');
      if (!/^\d$/.test(player)) return chanceInWords(text, name);
      const told = gained?.some(Boolean) ? gains(gained) : '';
      const scoring = words[0] === 'score' || words[0] === 'place' || words[0] === 'play';
      const effect = told || (scoring ? say('nothing') : '');
      return [moveInWords(words.join(' '), name(Number(player))), effect].filter(Boolean).join(': ');
    })
    .filter(Boolean);
}

/** One event in one or more lines. */
export function eventInWords(event: EventShown, view: View): string[] {
  const name = (seat: number): string => seatName(view.seats[seat] ?? view.seats[0]!, seat);
  const byPlayer = (player: number): string => name(view.order?.[player] ?? player);
  if (event.type === 'move') return lines(event.events ?? [], event.gained, byPlayer);
  const words = {
    name: event.name ?? (event.seat == null ? '' : name(event.seat)),
    level: levelName(event.level ?? ''),
    reaction: event.reaction && knows(`react_${event.reaction}`) ? say(`react_${event.reaction}` as Key) : '',
  };
  const key = `log_${event.type}`;
  const told = knows(key) ? [say(key, words)] : [];
  return [...told, ...lines(event.deal ?? [], null, byPlayer)];
}
