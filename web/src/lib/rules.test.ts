import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { decodePosition, load, type Bots, type Description, type EncodedPosition } from '../rules';
import { encodeState } from '../local/values';
import { canComplete, complete, predictMove } from './rules';
import type { GameName, View } from './types';

const folder = new URL('../../public/rules/', import.meta.url);
const read = (name: string): Buffer => readFileSync(new URL(name, folder));
const rulesOf = (game: GameName): Promise<Bots> =>
  load(read(`${game}.wasm`), JSON.parse(read(`${game}.json`).toString()) as Description);
interface Step {
  moves: string[];
  view: View;
}
const lesson = (game: GameName): Step[] =>
  JSON.parse(readFileSync(new URL(`../games/${game}/lesson.json`, import.meta.url), 'utf8')) as Step[];

// The lessons are views that the server's table made; `make pages` builds the modules.
describe.skipIf(!existsSync(folder)).each(['dice', 'cards', 'travel'] as const)('in %s', (game) => {
  test('a light view is completed to what the table would have said', async () => {
    const rules = await rulesOf(game);
    for (const { view, moves } of lesson(game)) {
      const { position, legal, previews, earned, lines, reach, ...rest } = view;
      const bytes = position && decodePosition(rules, position as EncodedPosition);
      const light = { ...rest, state: bytes && `${rules.about.state.layout}.${encodeState(bytes)}` } as View;
      const full = complete(rules, light);
      expect(canComplete(rules, light)).toBe(true);
      expect(canComplete(rules, { ...light, state: 'another.AAAA' })).toBe(false);
      expect(full.position).toEqual(position);
      expect(full.reach).toEqual(reach);
      if (view.turn !== view.seat) expect(full.legal).toEqual([]);
      if (!moves.length) continue; // the lesson leaves moves out that it does not need
      expect(full.lines).toMatchObject(lines);
      legal.forEach((move, at) => {
        const index = full.legal.indexOf(move);
        expect(full.previews[index]).toEqual(previews[at]);
        if (earned.length) expect(full.earned[index]).toEqual(earned[at]);
      });
      expect(complete(rules, view)).toBe(view);
    }
  });

  test('a move is foreseen as it then happens', async () => {
    const rules = await rulesOf(game);
    const steps = lesson(game);
    let moves = 0;
    steps.forEach(({ view, moves: possible }, at) => {
      const last = steps[at + 1]?.view.last;
      const move = possible.find((one) => last?.events?.[0] === `0 ${one}`);
      const predicted = move && predictMove(rules, view, move, view.version + 1);
      if (!predicted) return;
      moves++;
      expect(predicted.event).toMatchObject({
        gained: last!.gained,
        seat: last!.seat,
        version: last!.version,
      });
      expect(predicted.event.counted).toEqual(last!.counted ?? []);
      expect(predictMove(rules, { ...view, turn: 1 }, move, 9)).toBeNull();
      expect(predictMove(rules, view, 'nonsense', 9)).toBeNull();
    });
    expect(moves).toBeGreaterThan(0);
  });
});
