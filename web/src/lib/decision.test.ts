import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { decodePosition, load, type Bots, type Description, type EncodedPosition } from '../rules';
import { encodeState } from '../local/values';
import { canComplete, decisionOf, gameAt, predictMove, viewOf } from './decision';
import type { GameName, ViewMessage } from './types';

const folder = new URL('../../public/rules/', import.meta.url);
const read = (name: string): Buffer => readFileSync(new URL(name, folder));
const rulesOf = (game: GameName): Promise<Bots> =>
  load(read(`${game}.wasm`), JSON.parse(read(`${game}.json`).toString()) as Description);
interface Step {
  moves: string[];
  view: ViewMessage;
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
      const light = {
        ...rest,
        state: bytes && `${rules.about.state.layout}.${encodeState(bytes)}`,
      } as ViewMessage;
      const full = viewOf(light, rules).decision!;
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
      expect(viewOf(view).decision).toMatchObject({ position, legal, previews, earned, lines, reach });
    }
  });

  test('a move is foreseen as it then happens', async () => {
    const rules = await rulesOf(game);
    const steps = lesson(game);
    let moves = 0;
    steps.forEach(({ view, moves: possible }, at) => {
      const last = steps[at + 1]?.view.last;
      const move = possible.find((one) => last?.events?.[0] === `0 ${one}`);
      if (!move || !view.position) return;
      const state = decodePosition(rules, view.position as EncodedPosition);
      const decision = decisionOf(rules, state, 0, gameAt(view));
      const predicted = predictMove(rules, decision, move, view.version + 1, 0);
      if (!predicted) return;
      moves++;
      expect(predicted.event).toMatchObject({
        gained: last!.gained,
        seat: last!.seat,
        version: last!.version,
      });
      expect(predicted.event.counted).toEqual(last!.counted ?? []);
      expect(predictMove(rules, { ...decision, own: 1 }, move, 9, 1)).toBeNull();
      expect(predictMove(rules, decision, 'nonsense', 9, 0)).toBeNull();
    });
    expect(moves).toBeGreaterThan(0);
  });
});
