/** The site, kept by its worker: how long until the first move is possible, and how long the strongest bots think while
 *  the page keeps its frames. */
import type { Page } from 'playwright-core';
import { describe, it } from 'vitest';
import { decideAndSee, createLocalTable, myTurn, visitor, type Game } from '../tests/table-driver';
import { serveSite } from '../tests/site';

const REPEATS = Number(process.env.REPEATS ?? 5);
const MOVES = 4;
const median = (numbers: number[]): number => numbers.toSorted((a, b) => a - b)[numbers.length >> 1]!;
const formatTimes = (numbers: number[]): string =>
  `${Math.round(median(numbers))} ms (${numbers
    .map(Math.round)
    .toSorted((a, b) => a - b)
    .join(', ')})`;

/** When something was first there, in milliseconds since the page was opened. */
const firstSeenAt = (page: Page, selector: string): Promise<number> =>
  page.evaluate(
    (target) =>
      new Promise<number>((resolve) => {
        const look = (): void =>
          document.querySelector(target) ? resolve(performance.now()) : void requestAnimationFrame(look);
        look();
      }),
    selector,
  );

/** How long the page went without a frame at most, from now on. */
const watchFrames = (page: Page): Promise<void> =>
  page.evaluate(() => {
    const watched = Object.assign(window, { longest: 0 });
    let before = performance.now();
    const next = (now: number): void => {
      watched.longest = Math.max(watched.longest, now - before);
      before = now;
      requestAnimationFrame(next);
    };
    requestAnimationFrame(next);
  });

/** From what happened before a bot's moves to those moves, as the table has kept it. */
const thinkingTimes = (page: Page, table: string): Promise<number[]> =>
  page.evaluate(
    (id) =>
      new Promise<number[]>((resolve) => {
        interface Row {
          event: { at: number; bot?: boolean };
        }
        indexedDB.open('sixfold').onsuccess = ({ target }) => {
          const database = (target as IDBOpenDBRequest).result;
          const all = IDBKeyRange.bound([id, 0], [id, Infinity]);
          database.transaction('events').objectStore('events').getAll(all).onsuccess = (request) => {
            const rows = (request.target as IDBRequest<Row[]>).result;
            resolve(rows.flatMap(({ event }, at) => (event.bot ? [event.at - rows[at - 1]!.event.at] : [])));
          };
        };
      }),
    table,
  );

describe('the site, kept', () => {
  it('opens, and its bots answer', { timeout: 600_000 }, async () => {
    const { base, server } = await serveSite();
    const context = await visitor();
    const page = await context.newPage();
    await page.goto(base);
    await page.evaluate(() => navigator.serviceWorker.ready.then(() => true));
    for (const game of ['dice', 'cards', 'travel'] as Game[]) {
      const seats = [{ kind: 'me' }, { kind: 'bot', level: 'level5' }];
      const id = await createLocalTable(page, { game, players: 2, rounds: 1, first: 0, seats });
      const times: number[] = [];
      const starts: number[] = [];
      for (let run = 0; run < REPEATS; run++) {
        await page.goto('about:blank');
        await page.goto(base);
        starts.push(await firstSeenAt(page, '.game .wide:enabled'));
        await page.goto('about:blank');
        await page.goto(`${base}#/table/${id}`);
        times.push(
          await firstSeenAt(page, '.rack button:enabled, .fan button:enabled, .act .button.main:enabled'),
        );
      }
      await watchFrames(page);
      for (let move = 0; move < MOVES && (await myTurn(page)); move++) await decideAndSee(page, game);
      await myTurn(page);
      const frame = await page.evaluate(() => (window as unknown as { longest: number }).longest);
      console.log(
        `${game}: "Play" after ${formatTimes(starts)}, a first move after ${formatTimes(times)}, level 5 in ${formatTimes(await thinkingTimes(page, id))}, longest frame ${Math.round(frame)} ms`,
      );
    }
    server.close();
  });
});
