/** Plays a few moves of each game on a throttled phone and reports how smooth it was. */
import type { Locator, Page } from 'playwright-core';
import { afterAll, describe, it } from 'vitest';
import { againstComputer, myTurn, open, PHONE, visitor, type Game } from '../tests/table-driver';
import { tasksOf } from './trace';
import { ACTIVE_MS, watch, duringActivity, type Watched } from './watch';

const CPU_SLOWDOWN = 4;
const MOVES = 6;
const REPEATS = Number(process.env.REPEATS ?? 3);

const quantile = (numbers: number[], fraction: number): number =>
  numbers.toSorted((a, b) => a - b)[Math.min(numbers.length - 1, Math.floor(fraction * numbers.length))] ?? 0;

/** The page is not queried during animations, because the queries would be measured too. */
async function tap(page: Page, target: Locator): Promise<void> {
  await page.waitForTimeout(ACTIVE_MS);
  await target.scrollIntoViewIfNeeded();
  const { x, y, width, height } = (await target.boundingBox())!;
  await page.touchscreen.tap(x + width / 2, y + height / 2);
}

/** One decision by touch alone, with a look at each thing that is offered. */
async function decideByTouch(page: Page, game: Game): Promise<void> {
  const choice = page.locator('.act .button.main:enabled').first();
  const piece = page.locator('.rack button:enabled, .fan button:enabled').first();
  // While dice still roll, nothing can be chosen.
  await choice.or(piece).first().waitFor();
  if (!(await choice.count())) {
    await tap(page, piece);
    if (game === 'travel') {
      await tap(page, page.locator('.cell.target').first());
      await tap(page, page.locator('.act .second'));
    }
  }
  await tap(page, choice);
}

async function playSlowly(page: Page, game: Game): Promise<number> {
  for (let moves = 0; moves < MOVES; moves++) {
    if (!(await myTurn(page))) return moves;
    await decideByTouch(page, game);
    await page.waitForTimeout(1700); // the bot answers
  }
  return MOVES;
}

async function openTable(game: Game): Promise<Page> {
  const page = await open(await visitor({ ...PHONE, reducedMotion: 'no-preference' }, 900));
  await page.locator('.level label').first().click();
  await againstComputer(page, game);
  await myTurn(page);
  return page;
}

async function profile(game: Game): Promise<Record<string, string | number>> {
  const unthrottled = await openTable(game);
  const taskTimes = await tasksOf(unthrottled, () => playSlowly(unthrottled, game));
  await unthrottled.context().close();

  const page = await openTable(game);
  const cdp = await page.context().newCDPSession(page);
  await cdp.send('Emulation.setCPUThrottlingRate', { rate: CPU_SLOWDOWN });
  await page.evaluate(watch);
  const moves = await playSlowly(page, game);
  const watched = await page.evaluate(() => (window as unknown as { watched: Watched }).watched);
  await page.context().close();

  const frames = duringActivity(watched.frames, watched);
  const tasks = duringActivity(watched.tasks, watched);
  return {
    game,
    moves,
    'tap to paint': `${quantile(watched.taps, 0.5)} (at most ${Math.max(0, ...watched.taps)})`,
    'move to shown': quantile(watched.shown, 0.5).toFixed(0),
    'frames p50': quantile(frames, 0.5).toFixed(1),
    'frames p95': quantile(frames, 0.95).toFixed(1),
    'tasks over 50': tasks.length,
    'longest task': Math.max(0, ...tasks),
    // One task a move is as long as this or longer; the very longest would be a hiccup of the machine.
    [`computing × ${CPU_SLOWDOWN}`]: (taskTimes[MOVES - 1]! * CPU_SLOWDOWN).toFixed(0),
  };
}

describe(`a phone of 360 by 740, ${CPU_SLOWDOWN} times slower; milliseconds`, () => {
  const rows: Record<string, string | number>[] = [];
  afterAll(() => console.table(rows));

  it.each(['dice', 'cards', 'travel'] as Game[])('%s', async (game) => {
    for (let repeat = 0; repeat < REPEATS; repeat++) rows.push(await profile(game));
  });
});
