import { existsSync, readFileSync } from 'node:fs';
import { beforeEach, describe, expect, it } from 'vitest';
import { GAMES } from '../games';
import { load, type Description } from '../rules';
import { dayResult, EACH, ofDay, remember, resultOf, shapes, streak } from './daily';
import { isRight, puzzleStateOf, isSameMove, type Puzzle } from './puzzles';
import { behind } from './feedback';

const store = new Map<string, string>();
Object.assign(globalThis, {
  localStorage: {
    getItem: (name: string) => store.get(name) ?? null,
    setItem: (name: string, value: string) => store.set(name, value),
    removeItem: (name: string) => store.delete(name),
  },
});
beforeEach(() => store.clear());

const read = (path: string): Buffer => readFileSync(new URL(path, import.meta.url));
const loadPuzzles = (game: string): { players: number; puzzles: Puzzle[] } =>
  JSON.parse(read(`../../../src/sixfold/review/puzzles-${game}.json`).toString());

describe('the puzzle of the day', () => {
  it('comes again only when every other one has had its day', () => {
    const days = Array.from({ length: 300 }, (_, at) => JSON.stringify(ofDay(20_000 + at)));
    expect(new Set(days).size).toBe(300);
    expect(ofDay(20_300)).toEqual(ofDay(20_000));
  });

  it('is one that ships', () => {
    for (const game of GAMES) expect(loadPuzzles(game).puzzles.length).toBe(EACH);
    const numbers = Array.from({ length: 300 }, (_, day) => ofDay(day).number);
    expect([Math.min(...numbers), Math.max(...numbers)]).toEqual([1, EACH]);
  });

  it('makes a streak of days on which it was solved', () => {
    for (const day of [100, 101, 102]) remember(ofDay(day), 2, day);
    expect([streak(102), streak(103), streak(104)]).toEqual([3, 3, 0]);
    remember(ofDay(103), 0, 103);
    expect([dayResult(103), streak(103)]).toEqual([0, 0]);
  });

  it('keeps its first result, and other puzzles do not count for it', () => {
    remember(ofDay(200), 3, 200);
    remember(ofDay(200), 1, 200);
    expect(dayResult(200)).toBe(3);
    remember(ofDay(150), 1, 201);
    expect([dayResult(201), resultOf(ofDay(150))]).toEqual([undefined, 1]);
  });

  it('is told in shapes that give nothing away', () => {
    expect([shapes(1), shapes(3), shapes(0)]).toEqual(['⬢', '⬡⬡⬢', '⬡']);
  });

  it('survives a damaged memory', () => {
    store.set('sixfold.daily', '{');
    expect([dayResult(5), streak(5)]).toEqual([undefined, 0]);
  });
});

// `make pages` builds the modules.
const built = existsSync(new URL('../../public/rules/', import.meta.url));

describe.skipIf(!built).each(GAMES)('the puzzles of %s', (game) => {
  it('have one answer, however it is played', async () => {
    const about = JSON.parse(read(`../../public/rules/${game}.json`).toString()) as Description;
    const rules = await load(read(`../../public/rules/${game}.wasm`), about);
    const { players, puzzles } = loadPuzzles(game);
    for (const puzzle of puzzles.filter((_, at) => at % 4 === 0)) {
      const puzzleState = puzzleStateOf(rules, players, puzzle);
      const right = rules
        .legal(puzzleState.view)
        .map((move) => rules.notation.text(move)!)
        .filter((move) => isRight(puzzleState, move));
      expect(right.sort()).toEqual(puzzle.answers.toSorted());
      expect(isSameMove(puzzleState, puzzle.other, puzzle.answers[0]!)).toBe(false);
      expect(behind(puzzleState, puzzle.other)).toEqual({ points: Math.round(puzzle.lead), least: false });
    }
  });
});
