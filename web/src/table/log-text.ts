/** Events in words and pieces, for the log, for screen readers and for the line about the last move. */
import { gains, knows, levelName, pairName, say, sayOf, type Key, type Words } from '../lib/language.svelte';
import { gameOf } from '../games';
import type { MoveText, Part, PieceText } from '../games/game';
import { seatName } from '../lib/names';
import { isLetter, type Letter } from '../lib/symbols';
import type { EventShown, HintShown, TableView } from '../lib/types';
import { deciderOf, moveOf } from '../rules/events';

/** A player in a sentence; the reader is addressed as "you". */
export interface Who {
  name: string;
  you: boolean;
}

const PLACEHOLDER = '\u0001';

/** A sentence about a player, with a piece in place of `{piece}`. */
function sentence(key: Key, who: Who, words: Words = {}, piece?: PieceText): Part[] {
  const [before = '', after] = sayOf(key, who.name, who.you, { piece: PLACEHOLDER, ...words }).split(
    PLACEHOLDER,
  );
  return after === undefined || !piece ? [before] : [before, piece, after];
}

function describeMove(game: string, move: string): MoveText | undefined {
  const [verb = '', ...rest] = move.split(' ');
  return gameOf(game)?.moves[verb]?.(rest);
}

/** A decision in as few words as possible: the pieces, where they go, and what they are for. */
export const shortMoveParts = (game: string, move: string): Part[] =>
  describeMove(game, move)?.short ?? [knows(move) ? say(move) : move];

export interface Line {
  parts: Part[];
  /** Where the piece goes, which the log leaves out. */
  where?: string;
  /** The same in fewer words, where there are too many for one line. */
  brief?: Part[];
  /** What it brought, where it could bring something. */
  gained?: readonly number[];
}

/** The line about a move, with the hand that it revealed (C13). */
function moveLine(
  game: string,
  move: string,
  who: Who,
  gained: number[] | null | undefined,
  shown: readonly string[],
): Line {
  const text = describeMove(game, move);
  if (text)
    return {
      parts: sentence(text.key, who, text.words, text.piece),
      where: text.where,
      brief: text.brief && sentence(text.brief, who),
      gained: gained ?? [],
    };
  const key = `log_${move}`;
  const parts = knows(key) ? sentence(key, who) : [`${who.name}: ${move}`];
  if (!shown.length) return { parts };
  const pieces = shown.flatMap((item): Part[] => [' ', { item, words: pairName(item) }]);
  return { parts: [...parts, say('log_shown'), ...pieces], brief: parts };
}

export function logLines(
  game: string,
  events: string[],
  gained: number[] | null | undefined,
  who: (player: number) => Who,
  shown: readonly string[] = [],
): Line[] {
  const { chance, reportedWithChance } = gameOf(game) ?? {};
  return events.flatMap((text, at): Line[] => {
    const [first = '', second = '', ...rest] = text.split(' ');
    if (deciderOf(text) !== null) {
      const move = moveOf(text);
      const isReportedLater = reportedWithChance?.includes(move) && at + 1 < events.length;
      return isReportedLater ? [] : [moveLine(game, move, who(Number(first)), gained, shown)];
    }
    const outcome = chance?.(first, rest, moveOf(events[at - 1] ?? ''));
    return outcome ? [{ parts: sentence(outcome.key, who(Number(second)), {}, outcome.piece) }] : [];
  });
}

/** A line as plain text. */
export function plainText({ parts, gained }: Line): string {
  const text = parts.map((part) => (typeof part === 'string' ? part : part.words)).join('');
  return gained ? `${text}: ${gains(gained) || say('nothing')}` : text;
}

/** The same as plain text, with all players by name. */
export const plainLines = (
  game: string,
  events: string[],
  gained: number[] | null | undefined,
  name: (player: number) => string,
): string[] =>
  logLines(game, events, gained, (player) => ({ name: name(player), you: false })).map(plainText);

/** What a hint advises, and why; a choice has its reason in itself. */
export function advice(game: string, { move, reason }: Pick<HintShown, 'move' | 'reason'>): string {
  const text = describeMove(game, move);
  if (text) return say(text.advice, { piece: text.piece?.words ?? '', ...text.words, reason });
  const key = `advise_${move}`;
  return knows(key) ? say(key) : reason;
}

/** How a seat is named at this table; `you` is the reader's seat. */
export const whoIs =
  (view: TableView, you: number | null) =>
  (seat: number): Who => ({ name: seatName(view.seats[seat] ?? view.seats[0]!, seat), you: seat === you });

/** One event in one or more lines. */
export function linesOfEvent(event: EventShown, view: TableView, you: number | null): Line[] {
  const who = whoIs(view, you);
  const { game } = view.setup;
  const byPlayer = (player: number): Who => who(view.order?.[player] ?? player);
  if (event.type === 'move')
    return logLines(game, event.events ?? [], event.gained, byPlayer, event.shown ?? []);
  const words = {
    name: event.name ?? (event.seat == null ? '' : who(event.seat).name),
    level: levelName(event.level ?? ''),
    reaction: event.reaction && knows(`react_${event.reaction}`) ? say(`react_${event.reaction}` as Key) : '',
  };
  const key = `log_${event.type}`;
  const own = knows(key) ? [{ parts: [sayOf(key, words.name, event.seat === you, words)] }] : [];
  return [...own, ...logLines(game, event.deal ?? [], null, byPlayer)];
}

export const lettersOf = (item: string): Letter[] => [...item].filter(isLetter);
