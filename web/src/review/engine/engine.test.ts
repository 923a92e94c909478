import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { load, type Bots, type Description, type GameName, type RecordError } from '../../rules';
import { AnalysisService, DataMissing, type AnalysisUpdate, type ModuleSource } from './analysis-service';
import { shareBeaten } from './evaluator';
import { headOf, replayRecord } from './record';
import { ITERATIONS, review, assembleReview } from './report';
import type { Decision, Progress } from './types';

const folder = new URL('../../../public/rules/', import.meta.url);
const read = (name: string): Buffer => readFileSync(new URL(name, folder));
// The same code as in a worker, with files instead of a server.
const files: ModuleSource = {
  rules: (game) => load<GameName>(read(`${game}.wasm`), JSON.parse(`${read(`${game}.json`)}`) as Description),
  loadData: (rules, data) =>
    rules.give(data, new Uint8Array(read(`${rules.about.game}.${data}.data`)).buffer),
};

/** The record of the beginning of a game of careful moves. */
function playRecord(rules: Bots, players: number, seed: number, maxEvents: number): Record<string, unknown> {
  const chance = rules.chance(seed);
  let { state, events } = rules.resolveChance(rules.start(players), chance);
  for (let seat = rules.turn(state); seat !== null && events.length < maxEvents; seat = rules.turn(state)) {
    const move = rules.choose('careful', rules.hide(state, seat), seat, chance);
    const resolved = rules.resolveChance(rules.act(state, move), chance);
    events = [...events, `${seat} ${rules.notation.text(move)}`, ...resolved.events];
    state = resolved.state;
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

test('a result counts places, whatever the game ranks by; partners share one, and a single player has nobody to beat', () => {
  expect(shareBeaten([1, 3, 1, 3])).toEqual([5 / 6, 1 / 6, 5 / 6, 1 / 6]);
  expect(shareBeaten([2, 1, 2])).toEqual([0.25, 1, 0.25]);
  expect(shareBeaten([1])).toEqual([0.5]);
});

// `make pages` builds the modules.
describe.skipIf(!existsSync(folder))('looking back in a tab', () => {
  test('an event is judged alike, whoever judges it and whatever was judged before', async () => {
    const rules = await files.rules('cards');
    await files.loadData(rules, 'net.3');
    const record = playRecord(rules, 3, 5, 14);
    const updates: Progress[] = [];
    const whole = review(rules, record, 60, 9, (progress) => updates.push(progress));
    expect(updates.map(({ done }) => done)).toEqual(whole.steps.map(({ number }) => number));
    expect(whole.judged_by).toBe('net');
    const service = new AnalysisService(files);
    const head = await service.open(1, record);
    const numbers = Array.from({ length: head.total + 1 }, (_, at) => at);
    const backwards = numbers.toReversed().map((number) => service.judge(1, number, 60, 9));
    expect(assembleReview(head, backwards.toReversed(), 60, 9)).toEqual(whole);
  });

  test('a move that is tried is judged as if it had been the move of the game', async () => {
    const rules = await files.rules('cards');
    const record = playRecord(rules, 2, 5, 30);
    const service = new AnalysisService(files);
    await service.open(1, record);
    const events = record.events as string[];
    const number = events.findLastIndex((line) => /^\d/.test(line)) + 1;
    const { step } = service.judge(1, number, ITERATIONS, 1) as { step: Decision };
    const view = replayRecord(rules, headOf(record)).tasks[number - 1]!.before;
    expect(await service.evaluateMove('cards', view, step.player, number, step.move)).toEqual(step);
    // One that nobody looked at.
    const candidateMoves = step.candidates.map(({ move }) => move);
    const otherMove = rules
      .legal(view)
      .map((move) => rules.notation.text(move)!)
      .find((move) => !candidateMoves.includes(move))!;
    const tried = await service.evaluateMove('cards', view, step.player, number, otherMove);
    expect(tried.candidates.map(({ move }) => move)).toContain(otherMove);
    expect(tried.chance).toBeLessThanOrEqual(tried.best_chance);
  }, 60_000);

  test('candidates are told anew as the thinking goes on, until it is stopped', async () => {
    const rules = await files.rules('cards');
    const { state } = rules.resolveChance(rules.start(2), rules.chance(3));
    const view = rules.hide(state, 0);
    const service = new AnalysisService(files);
    const updates: AnalysisUpdate[] = [];
    await service.evaluateMoves(
      'cards',
      view,
      0,
      400,
      (update) => updates.push(update),
      () => false,
    );
    expect(updates.length).toBeGreaterThan(1);
    expect(updates.map(({ iterations }) => iterations)).toEqual(
      updates.map(({ iterations }) => iterations).toSorted((a, otherMove) => a - otherMove),
    );
    for (const { candidates, exact } of updates) {
      expect(exact).toBe(false);
      expect(candidates[0]!.chance).toBe(Math.max(...candidates.map(({ chance }) => chance)));
      const texts = rules.legal(view).map((move) => rules.notation.text(move));
      candidates.forEach(({ move }) => expect(texts).toContain(move));
    }
    const firstUpdates: AnalysisUpdate[] = [];
    await service.evaluateMoves(
      'cards',
      view,
      0,
      400,
      (update) => firstUpdates.push(update),
      () => firstUpdates.length > 0,
    );
    expect(firstUpdates).toEqual(updates.slice(0, 1));
    await expect(
      service.evaluateMoves(
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
    const { state } = rules.resolveChance(rules.start(3), rules.chance(4));
    const view = rules.hide(state, 1);
    const service = new AnalysisService(files);
    const chances = await service.chances('cards', view, 1, 300);
    expect(chances.reduce((sum, chance) => sum + chance, 0)).toBeCloseTo(150);
    const otherMove = rules.guess(view, 1, rules.chance(8));
    expect(await service.chances('cards', rules.hide(otherMove, 1), 1, 300)).toEqual(chances);
  });

  test('the solved game knows every chance at once', async () => {
    const rules = await files.rules('dice');
    const { state } = rules.resolveChance(rules.start(2), rules.chance(7));
    const service = new AnalysisService(files);
    const updates: AnalysisUpdate[] = [];
    await service.evaluateMoves(
      'dice',
      state,
      rules.turn(state)!,
      100,
      (update) => updates.push(update),
      () => false,
    );
    expect(updates.map(({ exact }) => exact)).toEqual([true]);
    const chances = await service.chances('dice', state, null);
    expect(chances[0]! + chances[1]!).toBe(100);
    expect(chances[rules.turn(state)!]).toBe(updates[0]!.candidates[0]!.chance);
  });

  test('what cannot be loaded is asked for again', async () => {
    let available = false;
    const source: ModuleSource = {
      ...files,
      loadData: (rules, data) =>
        available ? files.loadData(rules, data) : Promise.reject(new Error('offline')),
    };
    const service = new AnalysisService(source);
    const rules = await files.rules('cards');
    const record = playRecord(rules, 2, 5, 10);
    await expect(service.open(1, record)).rejects.toThrow(DataMissing);
    available = true;
    expect((await service.open(1, record)).judged_by).toBe('net');
  });

  test('a record that is none, or breaks a rule, is refused', async () => {
    const rules = await files.rules('cards');
    const record = playRecord(rules, 2, 5, 10);
    const service = new AnalysisService(files);
    const fault = async (changes: object | null): Promise<unknown> =>
      service.open(1, changes && { ...record, ...changes }).then(
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
