/** A hint: what the strongest bot would do, and why. The same as `src/sixfold/bots/hints.py`. */
import type { HintShown } from '../lib/types';
import { NotSo } from './deciding';
import { knowsSentence, sentence } from './sentences';
import type { Table } from './table';
import { think } from './thinking';

const STRONGEST = 'level5';
const MILLISECONDS = 1000;

export async function hint(table: Table, seat: number): Promise<HintShown> {
  const { rules, game, setup } = table;
  if (!game || table.turn !== seat) throw new NotSo('no_hint');
  if (!table.hints) throw new NotSo('hints_off');
  const player = table.playerOf(seat);
  const view = rules.hide(game.state, player);
  const asked = { view, player, players: setup.players, level: STRONGEST, milliseconds: MILLISECONDS };
  const { move } = await think(setup.game, asked);
  const number = rules.spelling.number(move)!;
  const gained = rules.previews(view, [number])[0]!.slice(0, 6);
  return { move, by: STRONGEST, gained, reason: await reason(table, player, move) };
}

/** Why somebody would make a move: the first reason that holds, the most telling ones first. */
async function reason(table: Table, player: number, move: string): Promise<string> {
  if (await knowsSentence(`hint_${move}`)) return sentence(`hint_${move}`);
  const { rules, game } = table;
  const { goal, last, symbols } = rules.about;
  const view = rules.hide(game!.state, player);
  const number = rules.spelling.number(move)!;
  const then = rules.act(rules.guess(view, player, rules.chance(0)), number);
  const before = rules.values(view)[player]!;
  const after = rules.values(then)[player]!;
  const raised = [0, 1, 2, 3, 4, 5].filter((symbol) => after[symbol]! > before[symbol]!);
  const named = (symbol: number): Promise<string> => sentence(`symbol_${symbols[symbol]}`);
  if (Math.min(...after) >= goal) return sentence('hint_goal');
  const full = raised.find((symbol) => after[symbol] === last);
  if (full !== undefined && rules.bonus(then))
    return sentence('hint_bonus', { symbol: await named(full), goal: String(last) });
  if (!raised.length) return sentence('hint_nothing');
  // The lowest symbol that the move raises; among equals one that a joker goes to, and the one that it raises most.
  const rank = (symbol: number): number[] => [
    before[symbol]!,
    rules.favours(number, symbol) ? 0 : 1,
    before[symbol]! - after[symbol]!,
  ];
  const symbol = raised.reduce((best, one) => (smaller(rank(one), rank(best)) ? one : best));
  const words = {
    symbol: await named(symbol),
    before: String(before[symbol]),
    after: String(after[symbol]),
  };
  if (before[symbol] !== Math.min(...before)) return sentence('hint_raise', words);
  return sentence(rules.favours(number, symbol) ? 'hint_joker' : 'hint_lowest', words);
}

function smaller(one: number[], other: number[]): boolean {
  const at = one.findIndex((value, index) => value !== other[index]);
  return at >= 0 && one[at]! < other[at]!;
}
