/** A hint: what the strongest bot would do, and why. The same as `src/sixfold/bots/hints.py`. */
import type { HintShown } from '../lib/types';
import type { Bots, State } from '../rules';
import { ActionRefused } from './actions';
import { hasSentence, sentence } from './sentences';
import type { Table } from './table';
import { chooseTurn } from './bot-client';

const HINT_LEVEL = 'level5';
const HINT_MILLISECONDS = 1000;

export async function hint(table: Table, seat: number): Promise<HintShown> {
  const { rules, game, setup } = table;
  if (!game || table.turn !== seat) throw new ActionRefused('no_hint');
  if (!table.hints) throw new ActionRefused('hints_off');
  const player = table.playerOf(seat);
  const view = rules.hide(game.state, player);
  const { move } = await chooseTurn({
    game: setup.game,
    view,
    player,
    players: setup.players,
    level: HINT_LEVEL,
    milliseconds: HINT_MILLISECONDS,
  });
  const number = rules.notation.number(move)!;
  const gained = rules.previews(view, [number])[0]!.slice(0, 6);
  return { move, by: HINT_LEVEL, gained, reason: await reason(rules, view, player, move) };
}

/** Explain a move from a player's view with the first reason that applies, in order of importance. */
export async function reason(rules: Bots, view: State, player: number, move: string): Promise<string> {
  if (await hasSentence(`hint_${move}`)) return sentence(`hint_${move}`);
  const { goal, last, symbols } = rules.about;
  const number = rules.notation.number(move)!;
  const nextState = rules.act(rules.guess(view, player, rules.chance(0)), number);
  const before = rules.values(view)[player]!;
  const after = rules.values(nextState)[player]!;
  const raisedSymbols = [0, 1, 2, 3, 4, 5].filter((symbol) => after[symbol]! > before[symbol]!);
  const symbolText = (symbol: number): Promise<string> => sentence(`symbol_${symbols[symbol]}`);
  if (Math.min(...after) >= goal) return sentence('hint_goal');
  const completedSymbol = raisedSymbols.find((symbol) => after[symbol] === last);
  if (completedSymbol !== undefined && rules.bonus(nextState))
    return sentence('hint_bonus', { symbol: await symbolText(completedSymbol), goal: String(last) });
  if (!raisedSymbols.length) return sentence('hint_nothing');
  // The lowest symbol that the move raises; among equals one that a joker goes to, and the one that it raises most.
  const rank = (symbol: number): number[] => [
    before[symbol]!,
    rules.favours(number, symbol) ? 0 : 1,
    before[symbol]! - after[symbol]!,
  ];
  const symbol = raisedSymbols.reduce((best, candidate) =>
    isLess(rank(candidate), rank(best)) ? candidate : best,
  );
  const words = {
    symbol: await symbolText(symbol),
    before: String(before[symbol]),
    after: String(after[symbol]),
  };
  if (before[symbol] !== Math.min(...before)) return sentence('hint_raise', words);
  return sentence(rules.favours(number, symbol) ? 'hint_joker' : 'hint_lowest', words);
}

function isLess(a: number[], b: number[]): boolean {
  const at = a.findIndex((value, index) => value !== b[index]);
  return at >= 0 && a[at]! < b[at]!;
}
