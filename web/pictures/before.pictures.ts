/** The table as it was and as it is, in one picture: BEFORE names a server with the old pages (docs/browser.md). */
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { againstBots, decideAndSee, myTurn, open, PHONE, visitor } from '../tests/table-driver';
import { playOn, selectPiece, saveWebp } from './screenshot';

const BEFORE = process.env.BEFORE;
const LAPTOP = { width: 1366, height: 650 };
const IMAGE_HEIGHT = 325;

/** Five moves against the weakest bot, by the buttons that both tables have; then the page as it is seen when opened. */
async function playOldTable(page: Page): Promise<void> {
  await page.locator('#level:enabled').selectOption({ index: 0 });
  await page.locator('article[aria-labelledby=game-travel] .wide:enabled').click();
  for (let moves = 0; moves < 5 && (await myTurn(page)); moves++) await decideAndSee(page, 'travel');
  await myTurn(page);
  await page.locator('.rack button:enabled').first().click();
  await page.evaluate(() => scrollTo(0, 0));
}

async function playNewTable(page: Page): Promise<void> {
  await againstBots(page, 'travel', 2);
  await playOn(page, 5);
  await selectPiece(page, 'travel');
}

describe.runIf(BEFORE)('before and after', () => {
  it('travel on a laptop and on a phone', async () => {
    const screenshots: string[] = [];
    for (const [server, play] of [
      [BEFORE, playOldTable],
      [undefined, playNewTable],
    ] as const)
      for (const screen of [{ viewport: LAPTOP }, { ...PHONE, viewport: { width: 390, height: 664 } }]) {
        const page = await open(await visitor(screen), '/', server);
        await play(page);
        await page.waitForTimeout(400);
        screenshots.push((await page.screenshot()).toString('base64'));
        await page.context().close();
      }
    const page = await (await visitor({ viewport: { width: 882, height: 2 * IMAGE_HEIGHT + 8 } })).newPage();
    const images = screenshots.map(
      (data) => `<img height="${IMAGE_HEIGHT}" src="data:image/png;base64,${data}">`,
    );
    await page.setContent(
      `<body style="display:flex;flex-wrap:wrap;gap:8px;margin:0;background:#fff">${images.join('')}</body>`,
    );
    expect(await saveWebp(page, '../docs/pictures/before-after.webp')).toBeLessThan(150_000);
  });
});
