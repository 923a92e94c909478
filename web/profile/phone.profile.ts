/** Plays a few moves of each game on a slowed-down phone and tells how smooth it was. */
import type { Page } from 'playwright-core';
import { afterAll, describe, it } from 'vitest';
import { againstComputer, myTurn, open, PHONE, visitor, type Game } from '../tests/playing';
import { watch, whileMoving, type Watched } from './watch';

const SLOWER = 4;
const MOVES = 8;
const REPEATS = Number(process.env.REPEATS ?? 3);

interface Figures {
  game: string;
  moves: number;
  'tap to paint, median': number;
  'tap to paint, worst': number;
  'move to shown, median': number;
  'frame p50': number;
  'frame p95': number;
  'long tasks': number;
  'longest task': number;
}

const share = (numbers: number[], part: number): number =>
  numbers.toSorted((a, b) => a - b)[Math.min(numbers.length - 1, Math.floor(part * numbers.length))] ?? 0;
const rounded = (ms: number): number => Math.round(ms * 10) / 10;

function figures(game: Game, moves: number, seen: Watched): Figures {
  const frames = whileMoving(seen.frames, seen);
  const tasks = whileMoving(seen.tasks, seen);
  return {
    game,
    moves,
    'tap to paint, median': rounded(share(seen.taps, 0.5)),
    'tap to paint, worst': rounded(Math.max(0, ...seen.taps)),
    'move to shown, median': rounded(share(seen.shown, 0.5)),
    'frame p50': rounded(share(frames, 0.5)),
    'frame p95': rounded(share(frames, 0.95)),
    'long tasks': tasks.length,
    'longest task': rounded(Math.max(0, ...tasks)),
  };
}

/** One decision by touch alone, with a look at each thing that is offered. */
async function touch(page: Page, game: Game): Promise<void> {
  const choice = page.locator('.act .button.main:enabled').first();
  if (!(await choice.count())) {
    await page.locator('.rack button:enabled, .fan button:enabled').first().tap();
    if (game === 'travel') {
      await page.locator('.cell.target').first().tap();
      await page.locator('.act .button:not(.main)').tap();
    }
  }
  await choice.tap();
}

async function playSlowly(page: Page, game: Game): Promise<number> {
  for (let moves = 0; moves < MOVES; moves++) {
    if (!(await myTurn(page))) return moves;
    await touch(page, game);
    // Nothing asks the page anything while it plays: that would be measured too.
    await page.waitForTimeout(2000);
  }
  return MOVES;
}

async function profile(game: Game): Promise<Figures> {
  const page = await open(await visitor({ ...PHONE, reducedMotion: 'no-preference' }, 900));
  await page.locator('#level:enabled').selectOption({ index: 0 });
  await againstComputer(page, game);
  await myTurn(page);
  const cdp = await page.context().newCDPSession(page);
  await cdp.send('Emulation.setCPUThrottlingRate', { rate: SLOWER });
  await page.evaluate(watch);
  const moves = await playSlowly(page, game);
  const seen = await page.evaluate(() => (window as unknown as { watched: Watched }).watched);
  await page.context().close();
  return figures(game, moves, seen);
}

describe(`a phone of 360 by 740, ${SLOWER} times slower`, () => {
  const rows: Figures[] = [];
  afterAll(() => console.table(rows));

  it.each(['dice', 'cards', 'travel'] as Game[])('%s', async (game) => {
    for (let repeat = 0; repeat < REPEATS; repeat++) rows.push(await profile(game));
  });
});
