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
  const gained = rules.gains(view, [number])[0]!;
  return { move, by: HINT_LEVEL, gained, reason: await reason(rules, view, move) };
}

/** Why a move of the player in turn is good; a sentence about the very move comes first. */
export async function reason(rules: Bots, view: State, move: string): Promise<string> {
  if (await hasSentence(`hint_${move}`)) return sentence(`hint_${move}`);
  const { key, words } = rules.explain(view, rules.notation.number(move)!);
  if (words.symbol) words.symbol = await sentence(`symbol_${words.symbol}`);
  return sentence(key, words);
}
