/** What the reviews of this device add up to: where one gives away how much, and whether it gets less. */
import type { GameName } from '../lib/types';
import type { Sums } from './storage';

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
  numbers.reduce((sum, number) => sum + number, 0) / Math.max(1, numbers.length);

/** Over all decisions: long games count for more. */
export function costOf(games: readonly Sums[]): number {
  const decisions = games.reduce((sum, { account }) => sum + account.decisions, 0);
  return (
    games.reduce((sum, { account }) => sum + account.mean_cost * account.decisions, 0) /
    Math.max(1, decisions)
  );
}

/** By game and opponent. */
export function means(games: readonly Sums[]): Mean[] {
  const groups = new Map<string, Sums[]>();
  for (const entry of games) {
    const name = `${entry.game} ${entry.level}`;
    groups.set(name, [...(groups.get(name) ?? []), entry]);
  }
  return [...groups.values()]
    .map((group) => ({
      game: group[0]!.game,
      level: group[0]!.level,
      games: group.length,
      cost: costOf(group),
      luck: mean(group.map(({ account }) => account.luck)),
    }))
    .sort((entry, other) => entry.game.localeCompare(other.game) || entry.level.localeCompare(other.level));
}

/** The cost of a decision from game to game, each over the last few games. */
export const costTrend = (games: readonly Sums[], windowSize = 5): number[] =>
  games.map((_, at) => costOf(games.slice(Math.max(0, at - windowSize + 1), at + 1)));
