import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import {
  article,
  base,
  playFast,
  createTable,
  myTurn,
  open,
  PHONE,
  send,
  tableId,
  tableSnapshot,
  visitor,
  type Game,
} from './table-driver';

/** Follow a lesson's light, as somebody would who knows nothing, until the lesson is over; says how often it was touched. */
/** Wait until the page has painted. */
const frames = (page: Page, count: number): Promise<void> =>
  page.evaluate(async (count) => {
    for (let at = 0; at < count; at++) await new Promise(requestAnimationFrame);
  }, count);

async function learn(page: Page): Promise<number> {
  for (let touches = 0; touches < 80; touches++) {
    const next = page.locator('.coach .main');
    const done = page.locator('section.done');
    const light = page.locator('.light .ring').first();
    await next.or(done).or(light).first().waitFor();
    if (await done.count()) return touches;
    if (await next.count()) {
      await next.click();
      continue;
    }
    const box = (await light.boundingBox())!;
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
    await (page.viewportSize()!.width < 500 ? page.touchscreen.tap(x, y) : page.mouse.click(x, y));
    await frames(page, 2); // the light moves on with the next frame
  }
  expect.fail('the lesson does not end');
}

/** Against a bot to the end of the game, over HTTP. */
async function finish(page: Page, game: Game, level = 'level1'): Promise<void> {
  const seats = [{ kind: 'me' }, { kind: 'bot', level }];
  await createTable(page, { game, seats, rounds: 1 });
  await playFast(page);
}

describe('around the table', () => {
  it.each([
    ['dice', {}, 'en'],
    ['cards', PHONE, 'de'],
    ['travel', {}, 'nl'],
  ] as [Game, object, string][])(
    '%s is learned by doing what the light shows',
    async (game, size, locale) => {
      const page = await open(await visitor({ ...size, locale }), `/learn/${game}`);
      expect(await learn(page)).toBeGreaterThan(12);
      await page.locator('section.done .main').click();
      await page.waitForURL(/\/table\//);
      await myTurn(page);
    },
  );

  it('a lesson stays where it is while something else is done', async () => {
    const page = await open(await visitor(), '/learn/dice');
    await page.locator('.coach .main').click();
    await page.locator('.coach .main').click();
    await page.getByRole('button', { name: 'Score', exact: true }).click();
    await page.getByText('Follow the light.').waitFor();
    await expect.poll(() => page.locator('.table').getAttribute('data-step')).toBe('reroll');
  });

  it('remembers finished games with their results, exports and deletes them', async () => {
    const page = await open(await visitor());
    await finish(page, 'dice');
    await page.locator('.result .charts figure').first().waitFor();
    await page.goto(`${base}/games`);
    await page.locator('.list li').waitFor();
    await expect.poll(() => page.locator('table tbody tr').count()).toBe(1);
    await expect.poll(() => page.locator('table tbody td').first().innerText()).toMatch(/^[01] of 1$/);
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Export' }).click(),
    ]);
    const saved = JSON.parse(readFileSync(await download.path(), 'utf8')) as {
      format: string;
      finished: { game: string; me: number; over: string; turns: number; values: number[][] }[];
    };
    expect(saved.format).toBe('sixfold-device/1');
    expect(saved.finished).toHaveLength(1);
    expect(saved.finished[0]).toMatchObject({ game: 'dice', me: 0, over: 'boxes_full' });
    expect(saved.finished[0]!.turns).toBeGreaterThan(3);
    // The replay is seen from the own side, also where the other one began.
    await page.locator('.list').getByRole('link', { name: 'Replay' }).click();
    await page.getByLabel('Seen from').waitFor();
    await expect.poll(() => page.getByLabel('Seen from').locator('option:checked').innerText()).toBe('Guest');
    await page.goBack();
    await page.getByRole('button', { name: 'Delete all' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete all' }).click();
    await page.getByText('Games you finish appear here').waitFor();
    await page.reload();
    await page.getByText('Games you finish appear here').waitFor();
    expect(
      await page.evaluate(() => Object.keys(localStorage).filter((key) => /tables|finished/.test(key))),
    ).toEqual([]);
  });

  it('says why a game is over, and offers the next one', async () => {
    const page = await open(await visitor());
    for (const [game, reason] of [
      ['dice', /marked all 42 boxes/],
      ['cards', /brought all six chips home/],
      ['travel', /No two neighbouring spaces are free.*(decides|equal)/],
    ] as const) {
      await finish(page, game, 'level2');
      const result = page.locator('.result');
      await expect.poll(() => result.locator('header p').innerText()).toMatch(reason);
      await expect.poll(() => result.locator('.title').innerText()).toMatch(/You win!|wins/);
      await result.locator('.charts figure').nth(1).waitFor();
      expect(await result.evaluate((one) => one.getBoundingClientRect().bottom <= innerHeight)).toBe(true);
    }
    await page.getByRole('button', { name: 'Look at the table' }).click();
    await page.getByRole('button', { name: 'Result' }).click();
    const before = tableId(page);
    await page.getByRole('button', { name: /^Stronger/ }).click();
    await page.waitForURL((url) => url.pathname.startsWith('/table/') && !url.pathname.includes(before));
    expect((await tableSnapshot(page)).views[0]).toMatchObject({ stage: 'playing' });
  });

  it('says that an address leads nowhere', async () => {
    for (const path of ['/nonsense', '/rules/chess', '/games/mine', '/learn/dice/more']) {
      const page = await open(await visitor(), path);
      await page.getByRole('heading', { name: 'Nothing here' }).waitFor();
      await expect.poll(() => page.title()).toBe('Nothing here · Sixfold');
      await page.locator('.nowhere .main').click();
      await page.locator(article('dice')).waitFor();
      await page.context().close();
    }
  });

  it('keeps a name and a face, and lets go of the name again', async () => {
    const page = await open(await visitor());
    await page.locator('.me').click();
    await page.getByLabel('Your name').fill('Anne');
    await page.getByLabel('Hedgehog').check();
    await page.getByRole('button', { name: 'Done' }).click();
    await expect.poll(() => page.locator('.me').innerText()).toContain('Anne');
    await page.locator(`${article('dice')} .wide:enabled`).click();
    await page.waitForURL(/\/table\//);
    const seat = async (): Promise<string> =>
      ((await tableSnapshot(page)).views[0] as unknown as { seats: { name: string }[] }).seats[0]!.name;
    expect(await seat()).toBe('Anne');

    await page.goto(base);
    await page.locator('.me').click();
    await page.getByRole('button', { name: 'Clear the name' }).click();
    await page.getByRole('button', { name: 'Done' }).click();
    await page.reload();
    await expect.poll(() => page.locator('.me').innerText()).toContain('Guest');
    expect(await page.evaluate(() => localStorage.getItem('sixfold.portrait'))).toBe('hedgehog');
    await page.locator(`${article('dice')} .wide:enabled`).click();
    await page.waitForURL(/\/table\//);
    expect(await seat()).toBe('Guest');
  });

  it('calls in the title, the icon and a notification when it is one’s turn', async () => {
    const context = await visitor();
    await context.addInitScript(() => {
      const notes: string[] = [];
      class Note {
        static permission = 'granted';
        static requestPermission = (): Promise<string> => Promise.resolve('granted');
        onclick = null;
        constructor(title: string) {
          notes.push(title);
        }
        close(): void {}
      }
      Object.assign(window, { notes, Notification: Note });
      localStorage.setItem('sixfold.notify', 'on');
      Object.defineProperty(document, 'visibilityState', { get: () => 'hidden' });
    });
    const anne = await open(context);
    await anne.goto(`${base}/new/dice`);
    await anne.getByRole('button', { name: 'Create invite link' }).click();
    const link = await anne.getByLabel('Link').inputValue();
    const carl = await open(await visitor(), link.replace(base, ''));
    await carl.getByRole('button', { name: 'Take a seat' }).click();
    await carl.waitForURL(/\/table\//);
    await anne.getByRole('button', { name: 'Start' }).click();
    await Promise.race([anne, carl].map((one) => one.locator('.status.mine').waitFor()));
    if (!(await anne.locator('.status.mine').count())) await send(carl, 'score');
    await anne.locator('.status.mine').waitFor();
    await expect.poll(() => anne.title()).toContain('● Your turn');
    await expect.poll(() => anne.locator('link[rel=icon]').getAttribute('href')).toBe('/icon-turn.svg');
    await send(anne, 'score');
    await carl.locator('.status.mine').waitFor();
    await anne.waitForFunction(() => !document.title.includes('Your turn'));
    await expect.poll(() => anne.locator('link[rel=icon]').getAttribute('href')).toBe('/icon.svg');
    await send(carl, 'score');
    await anne.waitForFunction(() => (window as unknown as { notes: string[] }).notes.includes('Your turn'));
  });

  it('takes a move back at once against a bot, and with people if they agree', async () => {
    const page = await open(await visitor());
    await createTable(page, {
      game: 'dice',
      seats: [{ kind: 'me' }, { kind: 'bot', level: 'level1' }],
      first: 0,
    });
    // It cannot be done yet, but it says why.
    await page.getByRole('button', { name: 'Undo' }).click({ force: true });
    await page.getByText('You have not decided anything in this round yet.').waitFor();
    await page.getByRole('button', { name: 'Score', exact: true }).click();
    await page.locator('.table:not([data-version="2"])').waitFor();
    await page.getByRole('button', { name: 'Take back' }).click();
    await page.getByRole('log').getByText('You take your last move back.').first().waitFor();
    expect((await tableSnapshot(page)).views[0]).toMatchObject({ turn: 0 });

    const anne = await open(await visitor(), '/new/dice');
    await anne.getByRole('button', { name: 'Create invite link' }).click();
    const link = await anne.getByLabel('Link').inputValue();
    const carl = await open(await visitor(), link.replace(base, ''));
    await carl.getByRole('button', { name: 'Take a seat' }).click();
    await carl.waitForURL(/\/table\//);
    await anne.getByRole('button', { name: 'Start' }).click();
    await Promise.race([anne, carl].map((one) => one.locator('.status.mine').waitFor()));
    const [first, second] = (await anne.locator('.status.mine').count()) ? [anne, carl] : [carl, anne];
    await send(first, 'score');
    await second.locator('.status.mine').waitFor();
    await first.getByRole('button', { name: 'Take back' }).click();
    await second.getByText('would like to take the last move back').waitFor();
    await second.getByRole('button', { name: 'Agree' }).click();
    await first.locator('.status.mine').waitFor();
    // Nobody gets a hint against people, unless it was agreed.
    expect(await first.getByRole('button', { name: 'Hint' }).count()).toBe(0);
  });

  it('asks a server for an invitation once, and warns where the link works on one machine only', async () => {
    const anne = await open(await visitor(), '/new/cards');
    await anne.getByRole('button', { name: 'Create invite link' }).click();
    await anne.getByText('works on this computer only').waitFor();
    await anne.locator('svg.qr').waitFor();
    await expect.poll(() => anne.locator('.agreed').innerText()).toMatch(/Rounds\s+1/);
    const link = await anne.getByLabel('Link').inputValue();
    const carl = await (await visitor()).newPage();
    const answers: number[] = [];
    carl.on('response', (response) => {
      if (response.url().includes('/api/invited')) answers.push(response.status());
    });
    await carl.goto(link);
    await carl.getByLabel('Owl').check();
    await carl.getByRole('button', { name: 'Take a seat' }).click();
    await carl.waitForURL(/\/table\//);
    await carl.locator('.lobby').waitFor();
    expect(answers).toEqual([200]);
  });
});
