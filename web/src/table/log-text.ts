/** Events in words and pieces, for the log, for screen readers and for the line about the last move. */
import {
  gains,
  knows,
  levelName,
  pairName,
  say,
  sayOf,
  symbolName,
  type Key,
  type Words,
} from '../lib/language.svelte';
import { seatName } from '../lib/names';
import { isLetter, type Letter } from '../lib/symbols';
import type { EventShown, HintShown, View } from '../lib/types';

/** A sentence in parts: words, or a piece that is drawn and has words of its own. */
export type Part = string | { piece: 'tile' | 'card' | 'dice'; item: string; words: string };

/** A player in a sentence; the reader is addressed as "you". */
export interface Who {
  name: string;
  you: boolean;
}

const PLACEHOLDER = '\u0001';
const symbolNames = (letters: string[]): string => letters.filter(isLetter).map(symbolName).join(', ');

/** A sentence about a player, with pieces in place of `{tile}`, `{card}` or `{dice}`. */
function sentence(key: Key, who: Who, words: Words = {}, piece?: Exclude<Part, string>): Part[] {
  const addressedKey = who.you && knows(`${key}_you`) ? (`${key}_you` as Key) : key;
  const filled = say(addressedKey, {
    name: who.name,
    tile: PLACEHOLDER,
    card: PLACEHOLDER,
    dice: PLACEHOLDER,
    ...words,
  });
  const [before = '', after] = filled.split(PLACEHOLDER);
  return after === undefined || !piece ? [before] : [before, piece, after];
}

function jokers(tokens: string[]): string {
  return tokens
    .map((token) => /^(\w)(\d)>(\w)$/.exec(token))
    .map((match) => {
      const [, letter = '', number = '', target = ''] = match ?? [];
      if (!isLetter(letter) || !isLetter(target)) return '';
      return say('log_joker', { n: number, symbol: symbolName(letter), target: symbolName(target) });
    })
    .join(', ');
}

/** The sentence for a move in the notation, and the hand that it revealed (C13). */
export function movePartsOf(move: string, who: Who, shown: readonly string[] = []): Part[] {
  const [word = '', ...rest] = move.split(' ');
  const item = rest[0] ?? '';
  if (word === 'place') return sentence('log_place', who, {}, { piece: 'tile', item, words: pairName(item) });
  if (word === 'play') return sentence('log_play', who, {}, { piece: 'card', item, words: pairName(item) });
  if (word === 'score')
    return rest.length
      ? sentence('log_score_joker', who, { jokers: jokers(rest) })
      : sentence('log_score', who);
  const key = `log_${word}`;
  const parts = knows(key) ? sentence(key, who) : [`${who.name}: ${move}`];
  if (!shown.length) return parts;
  const cards = shown.flatMap((item): Part[] => [' ', { piece: 'card', item, words: pairName(item) }]);
  return [...parts, say('log_shown'), ...cards];
}

/** A decision in as few words as possible: the pieces, where they go, and what a joker is for. */
export function shortMoveParts(move: string): Part[] {
  const [word = '', ...rest] = move.split(' ');
  const [item = '', ...cells] = rest;
  if (word === 'place') return [{ piece: 'tile', item, words: pairName(item) }, ` ${cells.join('–')}`];
  if (word === 'play') return [{ piece: 'card', item, words: pairName(item) }];
  if (word === 'keep') return [say('review_keep')];
  if (word !== 'score') return [knows(word) ? say(word) : move];
  const jokerParts = rest.flatMap((token): Part[] => {
    const [letter = '', number = '', , target = ''] = token;
    const group = letter.repeat(Number(number));
    return [
      ' ',
      { piece: 'dice', item: group, words: symbolNames([...group]) },
      ' → ',
      { piece: 'dice', item: target, words: symbolNames([target]) },
    ];
  });
  return [say('score'), ...jokerParts];
}

/** What chance did in public, after a decision. */
function chancePartsOf(text: string, participant: (player: number) => Who, decision = ''): Part[] {
  const [word, player, ...items] = text.split(' ');
  if (word !== 'roll') return [];
  const faces = items.filter(isLetter).join('');
  const key = decision.endsWith(' reroll') ? 'log_reroll' : 'log_roll';
  return sentence(
    key,
    participant(Number(player)),
    {},
    { piece: 'dice', item: faces, words: symbolNames(items) },
  );
}

const SCORING = new Set(['score', 'place', 'play']);

export interface Line {
  parts: Part[];
  /** The same in fewer words, where there are too many for one line. */
  brief?: Part[];
  /** What it brought, where it could bring something. */
  gained?: readonly number[];
}

export function logLines(
  events: string[],
  gained: number[] | null | undefined,
  who: (player: number) => Who,
  shown: readonly string[] = [],
): Line[] {
  return events
    .map((text, at) => {
      const [player = '', ...words] = text.split(' ');
      if (!/^\d$/.test(player)) return { parts: chancePartsOf(text, who, events[at - 1]) };
      // A reroll is reported together with its result.
      if (words[0] === 'reroll' && events[at + 1]?.startsWith('roll ')) return { parts: [] };
      const parts = movePartsOf(words.join(' '), who(Number(player)), shown);
      const brief =
        shown.length || words[0] === 'score' ? movePartsOf(words[0]!, who(Number(player))) : undefined;
      return SCORING.has(words[0] ?? '') ? { parts, brief, gained: gained ?? [] } : { parts, brief };
    })
    .filter(({ parts }) => parts.length);
}

/** A line as plain text. */
export function plainText({ parts, gained }: Line): string {
  const text = parts.map((part) => (typeof part === 'string' ? part : part.words)).join('');
  return gained ? `${text}: ${gains(gained) || say('nothing')}` : text;
}

/** The same as plain text, with all players by name. */
export const plainLines = (
  events: string[],
  gained: number[] | null | undefined,
  name: (player: number) => string,
): string[] => logLines(events, gained, (player) => ({ name: name(player), you: false })).map(plainText);

/** What a hint advises, and why; a choice has its reason in itself. */
export function advice({ move, reason }: HintShown): string {
  const [word = '', item = '', ...more] = move.split(' ');
  if (word === 'place' || word === 'play') return say(`advise_${word}`, { piece: pairName(item), reason });
  if (word === 'score')
    return item
      ? say('advise_joker', { jokers: jokers([item, ...more]), reason })
      : say('advise_score', { reason });
  const key = `advise_${word}`;
  return knows(key) ? say(key) : reason;
}

/** How a seat is named at this table; `you` is the reader's seat. */
export const whoIs =
  (view: View, you: number | null) =>
  (seat: number): Who => ({ name: seatName(view.seats[seat] ?? view.seats[0]!, seat), you: seat === you });

/** One event in one or more lines. */
export function linesOfEvent(event: EventShown, view: View, you: number | null): Line[] {
  const who = whoIs(view, you);
  const byPlayer = (player: number): Who => who(view.order?.[player] ?? player);
  if (event.type === 'move') return logLines(event.events ?? [], event.gained, byPlayer, event.shown ?? []);
  const words = {
    name: event.name ?? (event.seat == null ? '' : who(event.seat).name),
    level: levelName(event.level ?? ''),
    reaction: event.reaction && knows(`react_${event.reaction}`) ? say(`react_${event.reaction}` as Key) : '',
  };
  const key = `log_${event.type}`;
  const own = knows(key) ? [{ parts: [sayOf(key, words.name, event.seat === you, words)] }] : [];
  return [...own, ...logLines(event.deal ?? [], null, byPlayer)];
}

export const lettersOf = (item: string): Letter[] => [...item].filter(isLetter);
