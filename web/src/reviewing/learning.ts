/** What the reviews of this device add up to: where one gives away how much, and whether it gets less. */
import type { GameName } from '../lib/types';
import type { Sums } from './kept';

export interface Mean {
  game: GameName;
  /** A bot's level, or '' for people. */
  level: string;
  games: number;
  /** Points that a decision cost on average, over all decisions. */
  cost: number;
  /** Points of luck in a game on average. */
  luck: number;
}

const mean = (numbers: number[]): number =>
  numbers.reduce((all, number) => all + number, 0) / Math.max(1, numbers.length);

/** Over all decisions: long games count for more. */
export function costOf(games: readonly Sums[]): number {
  const decisions = games.reduce((all, { account }) => all + account.decisions, 0);
  return (
    games.reduce((all, { account }) => all + account.mean_cost * account.decisions, 0) /
    Math.max(1, decisions)
  );
}

/** By game and opponent. */
export function means(games: readonly Sums[]): Mean[] {
  const groups = new Map<string, Sums[]>();
  for (const one of games) {
    const name = `${one.game} ${one.level}`;
    groups.set(name, [...(groups.get(name) ?? []), one]);
  }
  return [...groups.values()]
    .map((some) => ({
      game: some[0]!.game,
      level: some[0]!.level,
      games: some.length,
      cost: costOf(some),
      luck: mean(some.map(({ account }) => account.luck)),
    }))
    .sort((one, other) => one.game.localeCompare(other.game) || one.level.localeCompare(other.level));
}

/** The cost of a decision from game to game, each over the last few games. */
export const improving = (games: readonly Sums[], over = 5): number[] =>
  games.map((_, at) => costOf(games.slice(Math.max(0, at - over + 1), at + 1)));
