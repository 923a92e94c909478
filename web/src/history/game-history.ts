/** The games of this device: those that go on, those that are over, and what they add up to. Nothing leaves it. */
import { gameOf } from '../games';
import { writeSetting, readList, myName, myPortrait, rememberedTables } from '../lib/settings.svelte';
import type { GameName, TableView } from '../lib/types';

export interface Player {
  name: string;
  portrait: string;
  /** A bot's level, or '' for a person. */
  level: string;
}

/** A game that is over. Everything goes by seat. */
export interface Finished {
  id: string;
  round: number;
  game: GameName;
  at: number;
  players: Player[];
  /** The seat of this device's player; null if several people share it or it only watched. */
  me: number | null;
  /** The player's number in the record of the last round, for a replay from the own side. */
  side: number;
  places: number[];
  values: number[][];
  totals: number[] | null;
  why: string;
  /** What ended it, where it was played to its end. */
  over: string | null;
  /** How many turns the own seat had in the last round. */
  turns: number;
}

const MOST_FINISHED = 1000;

/** Finished games on this device, the latest first. */
export const finishedGames = (): Finished[] => readList<Finished>('finished');

export function rememberFinished(game: Finished): void {
  const rest = finishedGames().filter((b) => b.id !== game.id || b.round !== game.round);
  const sorted = [game, ...rest].sort((a, b) => b.at - a.at);
  writeSetting('finished', JSON.stringify(sorted.slice(0, MOST_FINISHED)));
}

/** A finished table as it is remembered. */
export function finishedFrom(
  view: TableView,
  id: string,
  players: Player[],
  me: number | null,
  over: string | null,
  turns: number,
): Finished {
  const result = view.result!;
  return {
    id,
    round: view.round,
    game: view.setup.game,
    at: view.last?.at ?? Date.now(),
    players,
    me,
    side: Math.max(0, view.order?.indexOf(me ?? view.seat ?? 0) ?? 0),
    places: result.places,
    values: result.values,
    totals: result.totals,
    why: result.why,
    over,
    turns,
  };
}

export const won = (game: Finished): boolean => game.me !== null && game.places[game.me] === 1;
/** The strongest bot that was played against, or '' where people were. */
export function levelOf(game: Finished): string {
  const levels = game.players.filter((_, seat) => seat !== game.me).map(({ level }) => level);
  return levels.includes('') ? '' : (levels.toSorted().at(-1) ?? '');
}

export interface Tally {
  game: GameName;
  /** A level, or '' for games with people. */
  level: string;
  played: number;
  won: number;
}

/** Games and wins against each level, in each game. */
export function tallies(games: Finished[]): Tally[] {
  const tallyByKey = new Map<string, Tally>();
  for (const game of games) {
    if (game.me === null) continue;
    const level = levelOf(game);
    const tally = tallyByKey.get(game.game + level) ?? { game: game.game, level, played: 0, won: 0 };
    tally.played++;
    if (won(game)) tally.won++;
    tallyByKey.set(game.game + level, tally);
  }
  return [...tallyByKey.values()];
}

/** How many games were won in a row: now, and at most. Games are given the latest first. */
export function streaks(games: Finished[]): { now: number; best: number } {
  const wins = games.filter(({ me }) => me !== null).map(won);
  const lost = wins.indexOf(false);
  let [run, best] = [0, 0];
  for (const win of wins) {
    run = win ? run + 1 : 0;
    best = Math.max(best, run);
  }
  return { now: lost < 0 ? wins.length : lost, best };
}

export interface Best {
  game: GameName;
  /** The fewest turns to a win, or the highest minimum value if the game ended without reaching the goal. */
  kind: 'turns' | 'lowest';
  value: number;
  of: Finished;
}

/** The best results in each game: the quickest win, and the highest lowest value where the board ended it. */
export function bests(games: Finished[]): Best[] {
  const bestByKey = new Map<string, Best>();
  for (const game of games) {
    if (game.me === null || game.over === null) continue;
    const kind = gameOf(game.game)?.endsByValues?.includes(game.over) ? 'lowest' : 'turns';
    if (kind === 'turns' && (!won(game) || !game.turns)) continue;
    const value = kind === 'turns' ? game.turns : Math.min(...game.values[game.me]!);
    const best = bestByKey.get(game.game + kind);
    const better = !best || (kind === 'turns' ? value < best.value : value > best.value);
    if (better) bestByKey.set(game.game + kind, { game: game.game, kind, value, of: game });
  }
  return [...bestByKey.values()];
}

/** Everything this device remembers about games, as a file. */
export async function exportData(): Promise<string> {
  const head = { format: 'sixfold-device/1', name: myName(), portrait: myPortrait() };
  const local = await (await import('../local/api')).exportTables();
  const { storedReviews, storedSums } = await import('../review/storage');
  const [reviews, sums] = await Promise.all([storedReviews(), storedSums()]);
  const exportedData = {
    ...head,
    tables: rememberedTables(),
    finished: finishedGames(),
    local,
    reviews,
    sums,
  };
  return JSON.stringify(exportedData, null, 2);
}

export async function deleteAll(): Promise<void> {
  writeSetting('tables', null);
  writeSetting('finished', null);
  await (await import('../local/api')).deleteAll();
  await (await import('../review/storage')).deleteReviews();
}
