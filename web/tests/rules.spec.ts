/** The modules of WebAssembly in a real page, served by the server: they play like the native rules. */
import { execFileSync } from 'node:child_process';
import { chromium, type Browser, type Page } from 'playwright-core';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import type { Expected } from '../src/rules/verification';

const python = process.env.PYTHON ?? '../.venv/bin/python';
let browser: Browser;
let page: Page;

beforeAll(async () => {
  browser = await chromium.launch({ executablePath: inject('chromium'), args: ['--no-sandbox'] });
  page = await browser.newPage();
  await page.goto(inject('base'));
});

afterAll(() => browser.close());

// As text: in a function an import would be one of the test's, not of the page's.
const COMPARE = `async (kinds) => {
  const folder = new URL('/rules/', location.href);
  const { open, fetchData } = await import('/rules/rules.js');
  const { differences } = await import('/rules/checking.js');
  const rules = await open(kinds[0].game, folder);
  for (const bot of Object.keys(rules.about.bots)) await fetchData(rules, bot, folder);
  return kinds.flatMap((kind) => differences(rules, kind));
}`;

test('every game of every kind, and every level, is the same in a page', async () => {
  const args = ['-m', 'sixfold.wasm.expectations', '200'];
  const output = execFileSync(python, args, { encoding: 'utf8', maxBuffer: 1 << 28 });
  const expected = JSON.parse(output) as Expected[];
  expect(expected.length).toBeGreaterThan(10);
  for (const game of new Set(expected.map((kind) => kind.game))) {
    const kinds = expected.filter((kind) => kind.game === game);
    expect(await page.evaluate(`(${COMPARE})(${JSON.stringify(kinds)})`)).toEqual([]);
  }
});
