import { existsSync, readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { deciderOf, load, type Bots, type Description, type State } from '../rules';
import type { GameName } from '../lib/types';
import type { Account, Decision, Draw, Step } from './engine/types';
import type { Sums } from './storage';
import { costOf, costTrend, means } from './statistics';
import { mistakesOf, moments, placeOf } from './moments';
import { renderShareImage, wrapText } from './share-image';
import { checkedRecord, keyOf, recordFrom, recordsIn, tokenOf, type CheckedRecord } from './records';
import { decisionBefore, stopAt, stopsOf } from './stops';
import { compareTried, knownVerdict } from './retry';
import { whyBetter, whyLucky, type Reason } from './reasons';

const folder = new URL('../../public/rules/', import.meta.url);
const read = (name: string): Buffer => readFileSync(new URL(name, folder));
const rulesOf = (game: GameName): Promise<Bots> =>
  load(read(`${game}.wasm`), JSON.parse(read(`${game}.json`).toString()) as Description);
vi.mock('../lib/rules', () => ({ rulesOf: (game: GameName) => rulesOf(game), knownRules: () => undefined }));
vi.mock('../lib/router.svelte', () => ({ whole: (path: string) => `https://some.where${path}` }));

/** A random game: what happened, and the states between. */
function playRandomGame(
  rules: Bots,
  players: number,
  seed: number,
): { record: CheckedRecord; states: State[] } {
  const chance = rules.chance(seed);
  const events: string[] = [];
  let { state, events: lines } = rules.resolveChance(rules.start(players, rules.about.defaults), chance);
  events.push(...lines);
  for (let turn = rules.turn(state); turn !== null; turn = rules.turn(state)) {
    const moves = rules.legal(state);
    const move = moves[rules.below(chance, moves.length)]!;
    ({ state, events: lines } = rules.resolveChance(rules.act(state, move), chance));
    events.push(`${turn} ${rules.notation.text(move)}`, ...lines);
  }
  const game = rules.about.game as GameName;
  const values = rules.values(state);
  const record: CheckedRecord = {
    format: 'sixfold/1',
    game,
    players,
    options: rules.about.defaults,
    names: ['Anne', 'Carl', 'Eva', 'Finn'].slice(0, players),
    events,
    result: { values, places: rules.places(state) },
  };
  return { record, states: stopsOf(rules, record).states };
}

const sum = (numbers: number[]): number => numbers.reduce((all, number) => all + number, 0);
const GAMES: [GameName, number][] = [
  ['dice', 2],
  ['cards', 3],
  ['travel', 2],
];

// `make pages` builds the modules.
describe.skipIf(!existsSync(folder)).each(GAMES)('sentences about %s', (game, players) => {
  let rules: Bots;
  let playedGame: ReturnType<typeof playRandomGame>;
  beforeAll(async () => {
    rules = await rulesOf(game);
    playedGame = playRandomGame(rules, players, 7);
  });

  /** Every other decision. */
  const everyOtherState = (): State[] =>
    playedGame.states.filter((state) => rules.turn(state) !== null).filter((_, at) => at % 2 === 0);

  /** Reasons for pairs of moves of a game, with what both moves really do. */
  function* reasons(): Generator<{ reason: Reason; gains: number[][]; before: number[]; moves: string[] }> {
    const chance = rules.chance(3);
    for (const state of everyOtherState()) {
      const player = rules.turn(state)!;
      const legal = rules.legal(state);
      const pair = [0, 1].map(() => legal[rules.below(chance, legal.length)]!);
      if (pair[0] === pair[1]) continue;
      const [better, otherText] = pair.map((move) => rules.notation.text(move)!) as [string, string];
      const before = rules.values(state)[player]!;
      const gains = pair.map((move) =>
        rules.values(rules.act(state, move))[player]!.map((value, at) => value - before[at]!),
      );
      yield {
        reason: whyBetter(rules, state, player, better, otherText),
        gains,
        before,
        moves: [better, otherText],
      };
    }
  }

  it('say nothing that is not so', () => {
    let reasonCount = 0;
    for (const { reason, gains, before, moves } of reasons()) {
      reasonCount++;
      const [best, own] = gains as [number[], number[]];
      const at = reason.symbol === undefined ? -1 : rules.about.symbols.indexOf(reason.symbol);
      const low = Math.min(...before);
      if (reason.key === 'review_why_raises') {
        expect(before[at]).toBe(low);
        const { before: from, after, left } = reason.words;
        expect([from, after, left]).toEqual([low, low + best[at]!, low + own[at]!]);
        expect(after).toBeGreaterThan(left!);
      } else if (reason.key === 'review_why_several') {
        const raised = (numbers: number[]): string[] =>
          [...rules.about.symbols].filter((_, entry) => before[entry] === low && numbers[entry]! > 0);
        expect(reason.raised).toEqual([raised(best), raised(own)]);
      } else if (reason.key === 'review_why_more') expect(sum(best)).toBeGreaterThan(sum(own));
      else if (reason.key === 'review_why_later') expect(sum(best)).toBeLessThan(sum(own));
      else if (reason.key === 'review_why_open') expect(sum(best)).toBe(sum(own));
      else if (reason.key === 'review_why_keeps') {
        expect(moves[1]).toContain(reason.piece);
        expect(reason.piece).toContain(reason.symbol);
        expect(moves[0]!.split(' ')[1]).not.toContain(reason.symbol);
      } else if (reason.key === 'review_why_leaves') {
        expect(reason.words.fewer).toBeLessThan(reason.words.many!);
        expect(reason.other).not.toBe(reason.player);
      } else if (/again/.test(reason.key)) expect(moves[0]).toBe('reroll');
      else if (reason.key === 'review_why_take') expect(moves[1]).toBe('reroll');
      else if (reason.key === 'review_why_new') expect(['renew', 'swap']).toContain(moves[0]);
      else if (reason.key === 'review_why_keep') expect(moves[0]).toBe('keep');
    }
    expect(reasonCount).toBeGreaterThan(10);
  });

  it('are the same whatever somebody else holds', () => {
    const chance = rules.chance(5);
    for (const state of everyOtherState()) {
      const player = rules.turn(state)!;
      const legal = rules.legal(state);
      if (legal.length < 2) continue;
      const [entry, otherText] = [legal[0]!, legal.at(-1)!].map((move) => rules.notation.text(move)!);
      const guessed = rules.guess(rules.hide(state, player), player, chance);
      expect(whyBetter(rules, guessed, player, entry!, otherText!)).toEqual(
        whyBetter(rules, state, player, entry!, otherText!),
      );
    }
  });

  it('about luck name the lowest symbol', () => {
    const { record, states } = playedGame;
    record.events.forEach((line, at) => {
      const [, player, ...items] = line.split(' ');
      if (deciderOf(line) !== null) return;
      const after = states[at + 1]!;
      for (const luck of [5, -5]) {
        const { key, symbol } = whyLucky(rules, after, Number(player), line, luck);
        if (symbol === undefined) continue;
        const values = rules.values(after)[Number(player)]!;
        expect(values[rules.about.symbols.indexOf(symbol)]).toBe(Math.min(...values));
        if (key === 'review_luck_shows') expect(items.join()).toContain(symbol);
        if (key === 'review_luck_lacks') expect(items.join()).not.toContain(symbol);
      }
    });
  });

  it('stand beside positions: a decision before it is made, a draw after it came', () => {
    const { record, states } = playedGame;
    const stops = stopsOf(rules, record);
    const at = record.events.findIndex((line) => deciderOf(line) !== null);
    const player = Number(record.events[at]![0]);
    expect(stopAt(stops, at + 1, 0).position.values).toEqual(rules.values(states[at]!));
    const view = decisionBefore(stops, at + 1, '');
    expect(view.legal).toContain(record.events[at]!.slice(2));
    const others = record.names!.map((_, entry) => entry).filter((entry) => entry !== player);
    const hidden = rules.hide(states[at]!, player);
    expect(others.some((entry) => rules.sees(states[at]!, player, entry))).toBe(
      JSON.stringify(view.position).includes('??') === false,
    );
    expect(rules.turn(hidden)).toBe(player);
  });
});

const decision = (number: number, cost: number, more: Partial<Decision> = {}): Decision => ({
  kind: 'decision',
  number,
  player: 0,
  move: 'a',
  best: 'b',
  forced: false,
  chance: 50 - cost,
  best_chance: 50,
  cost,
  error: 0.1,
  mark: cost >= 15 ? 'blunder' : cost >= 7 ? 'mistake' : cost >= 3 ? 'slip' : null,
  margin: null,
  candidates: [],
  ...more,
});
const draw = (number: number, luck: number, error = 0.2): Draw => ({
  kind: 'draw',
  number,
  player: 1,
  event: 'roll 1 R R G B',
  chance: 50 + luck,
  average: 50,
  luck,
  error,
});

describe('what decided', () => {
  it('are the largest costs and the luckiest draws, in order, and nothing that may be chance', () => {
    const steps: Step[] = [decision(1, 2), draw(2, -12), draw(3, 20, 11), decision(4, 8), decision(5, 30)];
    expect(moments(steps).map(({ number }) => number)).toEqual([2, 4, 5]);
    expect(moments([decision(1, 2)])).toEqual([]);
  });

  it('is tried again where it cost something, be it only the margin of a decided game', () => {
    const steps = [
      decision(1, 2),
      decision(2, 4),
      decision(3, 9, { player: 1 }),
      decision(4, 0, { mark: 'slip', margin: 3 }),
    ];
    expect(mistakesOf({ steps }, 0).map(({ number }) => number)).toEqual([2, 4]);
  });

  it('means a place with more than two players', () => {
    expect([100, 50, 0].map((points) => placeOf(points, 3))).toEqual([1, 2, 3]);
  });
});

describe.skipIf(!existsSync(folder))('trying again', () => {
  it('knows the best, the move of the game, better, worse and what nobody looked at; equal moves are one', async () => {
    const rules = await rulesOf('travel');
    const { states } = playRandomGame(rules, 2, 11);
    const state = states.find((entry) => rules.turn(entry) !== null && rules.legal(entry).length > 40)!;
    const player = rules.turn(state)!;
    const texts = rules.legal(state).map((move) => rules.notation.text(move)!);
    const [best, near, better, own, worse, otherText] = texts.filter((_, at) => at % 6 === 0) as string[];
    const candidates = [
      { move: best!, chance: 60, error: 0 },
      { move: near!, chance: 59.5, error: 0.4 },
      { move: better!, chance: 55, error: 0.4 },
      { move: own!, chance: 50, error: 0.4 },
      { move: worse!, chance: 40, error: 0.4 },
    ];
    const step = decision(1, 10, {
      player,
      move: own!,
      best: best!,
      chance: 50,
      best_chance: 60,
      candidates,
    });
    const verdicts = [best, near, better, own, worse, otherText].map((move) =>
      knownVerdict(rules, state, step, move!),
    );
    expect(verdicts.map((entry) => entry?.verdict)).toEqual([
      'best',
      'best',
      'better',
      'same',
      'worse',
      undefined,
    ]);
    expect(verdicts[2]!.behind).toBe(5);
    // Where only the margin counts, chances say nothing of another move.
    const decided = { ...step, margin: 4 };
    const margins = [best, near, own].map((move) => knownVerdict(rules, state, decided, move!));
    expect(margins.map((entry) => entry?.verdict)).toEqual(['best', undefined, 'same']);
  });

  it('compares by points, and where all is decided by margin', () => {
    const mine = decision(1, 10);
    const verdicts = [0, 4, 9.9, 20].map((cost) => compareTried(mine, decision(1, cost)));
    expect(verdicts.map(({ verdict }) => verdict)).toEqual(['best', 'better', 'worse', 'worse']);
    expect(verdicts.map(({ behind }) => behind)).toEqual([0, 4, 9.9, 20]);
    const decided = decision(1, 0, { mark: 'slip', margin: 4 });
    const marginVerdicts = [1, 3, 5].map((margin) =>
      compareTried(decided, decision(1, 0, { mark: margin < 2 ? null : 'slip', margin })),
    );
    expect(marginVerdicts.map(({ verdict, margin }) => [verdict, margin])).toEqual([
      ['best', true],
      ['better', true],
      ['worse', true],
    ]);
    // A won game thrown away is no matter of margin any more.
    expect(compareTried(decided, decision(1, 30))).toEqual({ verdict: 'worse', behind: 30, margin: false });
  });
});

describe.skipIf(!existsSync(folder))('a record', () => {
  let record: CheckedRecord;
  beforeAll(async () => {
    record = playRandomGame(await rulesOf('cards'), 2, 4).record;
  });

  it('travels in a link, absoluteUrl, and is the same game wherever it comes from', async () => {
    const token = await tokenOf(record);
    expect(token).toMatch(/^[\w-]+$/);
    expect(token.length).toBeLessThan(2000);
    const again = await recordFrom(token);
    expect(again).toEqual(record);
    expect(keyOf({ ...again, names: ['X', 'Y'] })).toBe(keyOf(record));
    expect(keyOf({ ...again, events: again.events.slice(0, -1) })).not.toBe(keyOf(record));
  });

  it('that is damaged on its way says so', async () => {
    const token = await tokenOf(record);
    await expect(recordFrom(token.slice(0, token.length / 2))).rejects.toThrow('review_link_bad');
    await expect(recordFrom('no-token-at-all')).rejects.toThrow('review_link_bad');
    await expect(recordFrom('')).rejects.toThrow('review_link_bad');
  });

  it('that breaks a rule, or is none, is refused', async () => {
    const events = record.events.toSpliced(5, 0, '0 play RR');
    await expect(checkedRecord({ ...record, events })).rejects.toThrow('record_event');
    await expect(checkedRecord({ ...record, game: 'chess' })).rejects.toThrow('record_bad');
    await expect(checkedRecord({ some: 'thing' })).rejects.toThrow('record_bad');
    await expect(checkedRecord(null)).rejects.toThrow('record_bad');
  });

  it('is found in a text: one a line, or in a link', async () => {
    const line = JSON.stringify(record);
    expect(await recordsIn(`${line}\n${line}\n`)).toHaveLength(2);
    expect(await recordsIn(JSON.stringify(record, null, 2))).toEqual([record]);
    expect(await recordsIn(`https://some.where/#record=${await tokenOf(record)}`)).toEqual([record]);
    await expect(recordsIn('nothing')).rejects.toThrow('review_no_record');
    await expect(recordsIn(' ')).rejects.toThrow('review_no_record');
  });
});

describe('what reviews add up to', () => {
  const game = (at: number, level: string, mean_cost: number, decisions: number, luck: number): Sums => ({
    key: String(at),
    game: 'dice',
    at,
    level,
    account: { mean_cost, decisions, luck } as Account,
  });
  const games = [game(1, 'level2', 4, 10, 8), game(2, 'level2', 1, 30, -4), game(3, '', 2, 20, 0)];

  it('is the mean over all decisions, by game and opponent', () => {
    expect(costOf(games.slice(0, 2))).toBe(1.75);
    expect(means(games)).toEqual([
      { game: 'dice', level: '', games: 1, cost: 2, luck: 0 },
      { game: 'dice', level: 'level2', games: 2, cost: 1.75, luck: 2 },
    ]);
  });

  it('shows how one improves', () => {
    expect(costTrend(games, 2)).toEqual([4, 1.75, 1.4]);
  });
});

describe('the picture', () => {
  it('is well-formed whatever somebody is called, and keeps long words within it', () => {
    const svg = renderShareImage({
      title: 'Sixfold',
      players: [{ name: '<b>"A&B"', result: '1.', even: '50' }],
      line: [50, 60, 40],
      others: [],
      caption: '',
      moment: { at: 1, title: 'x', text: 'word '.repeat(80) },
    });
    expect(svg).toContain('&lt;b&gt;&quot;A&amp;B&quot;');
    expect(svg).not.toContain('<b>');
    expect(wrapText('word '.repeat(80).trim(), 40, 2).every((line) => line.length <= 40)).toBe(true);
    expect(wrapText('word '.repeat(80).trim(), 40, 2)[1]).toMatch(/…$/);
  });
});
