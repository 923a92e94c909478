/** The moves and rolls of the dice game in words. */
import { say, symbolName } from '../../lib/language.svelte';
import { isLetter } from '../../lib/symbols';
import type { EventShown } from '../../lib/types';
import type { Game, Part, PieceText } from '../game';
import { parseJoker } from './jokers';

const diceText = (letters: string[]): PieceText => ({
  item: letters.filter(isLetter).join(''),
  words: letters.filter(isLetter).map(symbolName).join(', '),
});

function score(tokens: string[]): ReturnType<Game['moves'][string]> {
  const jokers = tokens.map(parseJoker).filter((joker) => joker !== null);
  const sentences = jokers.map(({ letter, number, target }) =>
    say('log_joker', { n: number, symbol: symbolName(letter), target: symbolName(target) }),
  );
  const pieces = jokers.flatMap(({ letter, number, target }): Part[] => [
    ' ',
    diceText(Array<string>(number).fill(letter)),
    ' → ',
    diceText([target]),
  ]);
  return {
    key: jokers.length ? 'log_score_joker' : 'log_score',
    words: { jokers: sentences.join(', ') },
    brief: 'log_score',
    short: [say('score'), ...pieces],
    advice: jokers.length ? 'advise_joker' : 'advise_score',
  };
}

export const moves: Game['moves'] = { score };

export const chance: Game['chance'] = (word, items, move) =>
  word === 'roll'
    ? { key: move === 'reroll' ? 'log_reroll' : 'log_roll', piece: diceText(items) }
    : undefined;

/** The players who rolled after a move. */
export const rolledBy = ({ events }: Pick<EventShown, 'events'>): number[] =>
  (events ?? []).flatMap((text) => (text.startsWith('roll ') ? [Number(text.split(' ')[1])] : []));
