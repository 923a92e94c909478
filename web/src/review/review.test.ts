import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { load, type Bots, type Description, type GameName } from '../rules';
import { Desk, Missing, type Found, type Source } from './desk';
import { headOf, RecordError, told } from './record';
import { ITERATIONS, review, summedUp } from './reviewing';
import type { Decision, Progress } from './types';

const folder = new URL('../../public/rules/', import.meta.url);
const read = (name: string): Buffer => readFileSync(new URL(name, folder));
// The same code as in a worker, with files instead of a server.
const files: Source = {
  rules: (game) => load<GameName>(read(`${game}.wasm`), JSON.parse(`${read(`${game}.json`)}`) as Description),
  give: (rules, data) => rules.give(data, new Uint8Array(read(`${rules.about.game}.${data}.data`)).buffer),
};

/** The record of the beginning of a game of careful moves. */
function played(rules: Bots, players: number, seed: number, most: number): Record<string, unknown> {
  const chance = rules.chance(seed);
  let { state, events } = rules.settle(rules.start(players), chance);
  for (let seat = rules.turn(state); seat !== null && events.length < most; seat = rules.turn(state)) {
    const move = rules.choose('careful', rules.hide(state, seat), seat, chance);
    const settled = rules.settle(rules.act(state, move), chance);
    events = [...events, `${seat} ${rules.spelling.text(move)}`, ...settled.events];
    state = settled.state;
  }
  return {
    format: 'sixfold/1',
    game: rules.about.game,
    players,
    options: rules.about.defaults,
    events,
    result: null,
  };
}

// `make pages` builds the modules.
describe.skipIf(!existsSync(folder))('looking back in a tab', () => {
  test('an event is judged alike, whoever judges it and whatever was judged before', async () => {
    const rules = await files.rules('cards');
    await files.give(rules, 'net.3');
    const record = played(rules, 3, 5, 14);
    const told: Progress[] = [];
    const whole = review(rules, record, 60, 9, (progress) => told.push(progress));
    expect(told.map(({ done }) => done)).toEqual(whole.steps.map(({ number }) => number));
    expect(whole.judged_by).toBe('net');
    const desk = new Desk(files);
    const head = await desk.open(1, record);
    const numbers = Array.from({ length: head.total + 1 }, (_, at) => at);
    const backwards = numbers.toReversed().map((number) => desk.judge(1, number, 60, 9));
    expect(summedUp(head, backwards.toReversed(), 60, 9)).toEqual(whole);
  });

  test('a move that is tried is judged as if it had been the move of the game', async () => {
    const rules = await files.rules('cards');
    const record = played(rules, 2, 5, 30);
    const desk = new Desk(files);
    await desk.open(1, record);
    const events = record.events as string[];
    const number = events.findLastIndex((line) => /^\d/.test(line)) + 1;
    const { step } = desk.judge(1, number, ITERATIONS, 1) as { step: Decision };
    const view = told(rules, headOf(record)).tasks[number - 1]!.before;
    expect(await desk.tried('cards', view, step.player, number, step.move)).toEqual(step);
    // One that nobody looked at.
    const known = step.candidates.map(({ move }) => move);
    const other = rules
      .legal(view)
      .map((move) => rules.spelling.text(move)!)
      .find((move) => !known.includes(move))!;
    const tried = await desk.tried('cards', view, step.player, number, other);
    expect(tried.candidates.map(({ move }) => move)).toContain(other);
    expect(tried.chance).toBeLessThanOrEqual(tried.best_chance);
  }, 60_000);

  test('candidates are told anew as the thinking goes on, until it is stopped', async () => {
    const rules = await files.rules('cards');
    const { state } = rules.settle(rules.start(2), rules.chance(3));
    const view = rules.hide(state, 0);
    const desk = new Desk(files);
    const all: Found[] = [];
    await desk.weigh(
      'cards',
      view,
      0,
      400,
      (found) => all.push(found),
      () => false,
    );
    expect(all.length).toBeGreaterThan(1);
    expect(all.map(({ iterations }) => iterations)).toEqual(
      all.map(({ iterations }) => iterations).toSorted((one, other) => one - other),
    );
    for (const { candidates, exact } of all) {
      expect(exact).toBe(false);
      expect(candidates[0]!.chance).toBe(Math.max(...candidates.map(({ chance }) => chance)));
      const texts = rules.legal(view).map((move) => rules.spelling.text(move));
      candidates.forEach(({ move }) => expect(texts).toContain(move));
    }
    const few: Found[] = [];
    await desk.weigh(
      'cards',
      view,
      0,
      400,
      (found) => few.push(found),
      () => few.length > 0,
    );
    expect(few).toEqual(all.slice(0, 1));
    await expect(
      desk.weigh(
        'cards',
        view,
        1,
        400,
        () => {},
        () => false,
      ),
    ).rejects.toThrow('nothing to decide');
  });

  test('what is hidden from a seat changes nothing, and chances add up', async () => {
    const rules = await files.rules('cards');
    const { state } = rules.settle(rules.start(3), rules.chance(4));
    const view = rules.hide(state, 1);
    const desk = new Desk(files);
    const chances = await desk.chances('cards', view, 1, 300);
    expect(chances.reduce((sum, chance) => sum + chance, 0)).toBeCloseTo(150);
    const other = rules.guess(view, 1, rules.chance(8));
    expect(await desk.chances('cards', rules.hide(other, 1), 1, 300)).toEqual(chances);
  });

  test('the solved game knows every chance at once', async () => {
    const rules = await files.rules('dice');
    const { state } = rules.settle(rules.start(2), rules.chance(7));
    const desk = new Desk(files);
    const all: Found[] = [];
    await desk.weigh(
      'dice',
      state,
      rules.turn(state)!,
      100,
      (found) => all.push(found),
      () => false,
    );
    expect(all.map(({ exact }) => exact)).toEqual([true]);
    const chances = await desk.chances('dice', state, null);
    expect(chances[0]! + chances[1]!).toBe(100);
    expect(chances[rules.turn(state)!]).toBe(all[0]!.candidates[0]!.chance);
  });

  test('what cannot be loaded is asked for again', async () => {
    let there = false;
    const source: Source = {
      ...files,
      give: (rules, data) => (there ? files.give(rules, data) : Promise.reject(new Error('offline'))),
    };
    const desk = new Desk(source);
    const rules = await files.rules('cards');
    const record = played(rules, 2, 5, 10);
    await expect(desk.open(1, record)).rejects.toThrow(Missing);
    there = true;
    expect((await desk.open(1, record)).judged_by).toBe('net');
  });

  test('a record that is none, or breaks a rule, is refused', async () => {
    const rules = await files.rules('cards');
    const record = played(rules, 2, 5, 10);
    const desk = new Desk(files);
    const fault = async (changes: object | null): Promise<unknown> =>
      desk.open(1, changes && { ...record, ...changes }).then(
        () => null,
        (error: RecordError) => [error.fault.key, error.fault.words.what ?? error.fault.why?.key],
      );
    expect(await fault({})).toBeNull();
    expect(await fault(null)).toEqual(['record_bad', 'format']);
    expect(await fault({ players: 9 })).toEqual(['record_bad', 'players']);
    expect(await fault({ names: ['A'] })).toEqual(['record_bad', 'names']);
    expect(await fault({ events: ['deal 0 RG'] })).toEqual(['record_event', 'wrong_number']);
    expect(await fault({ events: ['0 play RG'] })).toEqual(['record_event', 'chance_first']);
    expect(await fault({ events: [...(record.events as string[]), '9 keep'] })).toEqual([
      'record_event',
      'not_your_turn',
    ]);
    expect(await fault({ result: { places: [1, 2], values: [] } })).toEqual(['record_result', undefined]);
  });
});
