/** The modules of WebAssembly in a real page, served by the server: they play like the native rules. */
import { execFileSync } from 'node:child_process';
import { chromium, type Browser, type Page } from 'playwright-core';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import type { Expected } from '../src/rules/checking';

const python = process.env.PYTHON ?? '../.venv/bin/python';
let browser: Browser;
let page: Page;

beforeAll(async () => {
  browser = await chromium.launch({ executablePath: inject('chromium'), args: ['--no-sandbox'] });
  page = await browser.newPage();
  await page.goto(inject('base'));
});

afterAll(() => browser.close());

test('every game of every kind, and every level, is the same in a page', async () => {
  const asked = ['-m', 'sixfold.browser.expecting', '200'];
  const expected = JSON.parse(
    execFileSync(python, asked, { encoding: 'utf8', maxBuffer: 1 << 28 }),
  ) as Expected[];
  expect(expected.length).toBeGreaterThan(10);
  for (const kind of expected) {
    const found = await page.evaluate(async (kind) => {
      const folder = new URL('/rules/', location.href);
      const { open, fetchData } = (await import(`${folder}rules.js`)) as typeof import('../src/rules');
      const { differences } = (await import(
        `${folder}checking.js`
      )) as typeof import('../src/rules/checking');
      const rules = await open(kind.game as 'dice', folder);
      for (const bot of Object.keys(rules.about.data)) await fetchData(rules, bot, folder);
      return differences(rules, kind);
    }, kind);
    expect(found).toEqual([]);
  }
});
