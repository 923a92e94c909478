import { resolve } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { open, visitor } from './table-driver';
import { serve } from './server';

// A small game that lives among the tests, installed as anybody's would be; this page knows nothing about it.
const ROOT = resolve('..');
const PATH = [`${ROOT}/tests/posy/installed`, `${ROOT}/src`, ROOT].join(':');
let server: Awaited<ReturnType<typeof serve>>;

beforeAll(async () => {
  server = await serve(PATH);
});
afterAll(() => server.stop());

it('a game without a table of its own is played at a plain one', async () => {
  const page = await open(await visitor({ viewport: { width: 390, height: 664 } }), '/', server.base);
  const other = page.getByRole('navigation').filter({ has: page.getByRole('heading', { name: 'posy' }) });
  await other.getByRole('link', { name: 'On this device' }).click();
  await page.getByLabel('pack').selectOption('large');
  await page.getByLabel('Who plays on seat 2').selectOption({ index: 1 });
  await page.getByLabel('Rounds').selectOption('1');
  await page.getByRole('button', { name: 'Start' }).click();
  for (let moves = 0; moves < 100; moves++) {
    const move = page.locator('.moves button:enabled').first();
    await move.or(page.locator('.result')).first().waitFor();
    if (await page.locator('.result').count()) break;
    await move.click();
    await expect.poll(() => page.locator('[data-part=action]').innerText()).toMatch(/lay \w/);
    const before = await page.locator('.table').getAttribute('data-version');
    await page.getByRole('button', { name: 'Play', exact: true }).click();
    await page.locator(`.table:not([data-version="${before}"]), .result`).first().waitFor();
  }
  await expect.poll(() => page.locator('.result').count()).toBe(1);
  await page.screenshot({ path: '../screenshots/another-result.png' });
});
