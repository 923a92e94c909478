/** Looking back at a game: at once after it, without a network, from a server, from a link; trying again; statistics. */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import type { Server } from 'node:http';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  againstBots,
  base,
  playFast,
  createLocalTable,
  myTurn,
  open,
  tableId,
  visitor,
} from './table-driver';
import { serveSite, SITE } from './site';

const python = process.env.PYTHON ?? resolve('../.venv/bin/python');
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

async function noViolations(page: Page): Promise<void> {
  await page.evaluate(AXE);
  const found = await page.evaluate(async () => {
    const { axe } = window as unknown as { axe: { run(): Promise<{ violations: unknown[] }> } };
    return (await axe.run()).violations;
  });
  expect(found).toEqual([]);
  expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
}

/** Everything is judged. */
const judged = (page: Page): Promise<void> =>
  page.getByRole('heading', { name: 'What it came to' }).waitFor();
const count = (page: Page): Promise<string> => page.locator('.count').innerText();

// `make site` builds it.
describe.skipIf(!existsSync(SITE))('a game on this device, with the network off', () => {
  let site: string;
  let server: Server;
  let context: BrowserContext;
  let page: Page;

  beforeAll(async () => {
    ({ base: site, server } = await serveSite());
    context = await visitor();
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    page = await open(context, '', site);
    await page.evaluate(() => navigator.serviceWorker.ready.then(() => true));
    await context.setOffline(true);
    const seats = [{ kind: 'me' }, { kind: 'bot', level: 'level1' }];
    const id = await createLocalTable(page, { game: 'dice', players: 2, rounds: 1, first: 0, seats });
    await page.goto(`${site}#/table/${id}`);
    await myTurn(page);
    await playFast(page);
  });
  afterAll(() => server.close());

  it('is looked back at with one click: the curve, the moments, the sums, step by step', async () => {
    await page.locator('.result').getByRole('link', { name: 'Review' }).click();
    await judged(page);
    const moments = page.getByRole('region', { name: 'What decided the game' }).getByRole('button');
    expect(await moments.count()).toBe(3);
    await moments.nth(2).click();
    await expect.poll(() => moments.nth(2).getAttribute('aria-pressed')).toBe('true');
    const at = Number((await count(page)).split(' ')[0]);
    expect(at).toBeGreaterThan(0);
    await page.keyboard.press('ArrowLeft');
    expect(await count(page)).toMatch(new RegExp(`^${at - 1} /`));
    await page.keyboard.press('Home');
    await page.keyboard.press('n');
    expect(Number((await count(page)).split(' ')[0])).toBeGreaterThan(0);
    await page.getByRole('slider', { name: /^Chances of/ }).click({ position: { x: 200, y: 60 } });
    await expect
      .poll(() => page.getByRole('slider', { name: /^Chances of/ }).getAttribute('aria-valuetext'))
      .toMatch(/after event \d+: \d+ of 100/);
    // The books balance, to the last digit that is shown: the values of the dice game are its own.
    const row = (name: string): Promise<string[]> =>
      page
        .getByRole('row', { name: new RegExp(`^${name}`) })
        .getByRole('cell')
        .allInnerTexts();
    expect(await row('Unexplained')).toEqual(['0', '0']);
    expect((await row('Result')).map(Number).toSorted((a, b) => a - b)).toEqual([0, 100]);
    await noViolations(page);
  });

  it('is there at once the next time, and travels whole in a link', async () => {
    const region = page.getByRole('region', { name: 'Show it to others' });
    await region.getByRole('button', { name: 'Share link' }).click();
    await region.getByRole('button', { name: 'Copied' }).waitFor();
    const link = await page.evaluate(() => navigator.clipboard.readText());
    expect(link).toMatch(/#record=[\w-]+$/);
    await page.reload();
    await judged(page);
    const other = await visitor();
    const guest = await open(other, '', link);
    await judged(guest);
    const sums = (one: Page): Promise<string[]> => one.getByRole('row').allInnerTexts();
    const numbers = (rows: string[]): string[] => rows.slice(1);
    expect(numbers(await sums(guest))).toEqual(numbers(await sums(page)));
    const damaged = await open(other, '', link.slice(0, -60));
    await expect.poll(() => damaged.getByRole('alert').innerText()).toContain('This link is damaged');
    await other.close();
  });

  it('gives a picture, as SVG and as PNG', async () => {
    const region = page.getByRole('region', { name: 'Show it to others' });
    const saved = async (name: string): Promise<Buffer> => {
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        region.getByRole('button', { name }).click(),
      ]);
      return readFileSync(await download.path());
    };
    expect((await saved('SVG')).toString()).toMatch(/^<svg[^]*Guest: Place \d[^]*<\/svg>$/);
    const png = await saved('PNG');
    expect(png.subarray(1, 4).toString()).toBe('PNG');
    expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([1200, 630]);
  });

  it('counts for the statistics of this device, and is deleted with the rest', async () => {
    await page.goto(`${site}#/games`);
    const row = page.getByRole('row', { name: /^Dice game: Beginner/ });
    await expect.poll(() => row.getByRole('cell').first().innerText()).toBe('1');
    await expect
      .poll(() => page.getByRole('link', { name: 'Review' }).getAttribute('href'))
      .toMatch(/\/review\/local-/);
    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await row.waitFor({ state: 'detached' });
    await page.reload();
    expect(await row.count()).toBe(0);
  });
});

describe('a record', () => {
  let record: string;
  let review: string;
  let context: BrowserContext;
  let page: Page;

  beforeAll(async () => {
    context = await visitor();
    page = await open(context);
    await againstBots(page, 'dice', 2);
    await playFast(page);
    record = await (await page.request.get(`${base}/api/tables/${tableId(page)}/records`)).text();
    const file = join(await mkdtemp(join(tmpdir(), 'sixfold-')), 'one.sixfold.jsonl');
    writeFileSync(file, record);
    const done = spawnSync(python, ['-m', 'sixfold', 'review', file, '--json'], {
      cwd: '..',
      encoding: 'utf8',
    });
    expect(done.status, done.stderr).toBe(0);
    review = done.stdout;
  });

  it('of a server is judged there, and shown as far as it is known', async () => {
    const whole = JSON.parse(review) as { steps: { candidates?: unknown[] }[]; curve: number[][] };
    const { curve } = whole;
    const steps = whole.steps.map((step) => ({ ...step, ...(step.candidates && { candidates: [] }) }));
    let asked = 0;
    await page.route('**/rounds/1/review?*', (route) => {
      const done = asked++ ? steps.length : 40;
      const answer = {
        done,
        total: steps.length,
        steps: steps.slice(0, done),
        chances: curve.slice(0, done),
      };
      return route.fulfill({ json: { ...answer, review: asked > 1 ? { ...whole, steps } : null } });
    });
    await page.locator('.result').getByRole('link', { name: 'Review' }).click();
    await page.getByText(`Judging: 40 of ${steps.length} events`).waitFor();
    await judged(page);
    expect(asked).toBe(2);
  });

  it('is tried again: as good, the same, help by help, and nothing is given away', async () => {
    // Whoever made more mistakes.
    const { accounts } = JSON.parse(review) as { accounts: { marks: Record<string, number> }[] };
    const many = accounts.map(({ marks }) => Object.values(marks).reduce((sum, n) => sum + n, 0));
    await page.getByLabel('Seen from').selectOption(String(many[1]! > many[0]! ? 1 : 0));
    await page.getByRole('button', { name: 'Try again' }).click();
    const coach = page.getByRole('complementary', { name: 'Try again' });
    await coach.getByText('What is better?').waitFor();
    expect(await page.locator('.sign').count()).toBe(0);
    await page.locator('.act .button:enabled').last().click();
    // What the review says nothing of is thought about.
    await coach.getByText(/as good as|move of the game|better than|worse than/).waitFor();
    for (let help = 0; help < 3 && (await coach.getByRole('button', { name: 'Skip' }).count()); help++)
      await coach.getByRole('button', { name: /Hint|Show it/ }).click();
    await noViolations(page);
    for (let left = 0; left < 40 && (await coach.count()); left++)
      await coach.getByRole('button', { name: /Go on|Skip/ }).click();
    await page.getByText(/found without help/).waitFor();
    await page.getByRole('button', { name: 'Back to the review' }).click();
    await judged(page);
  });

  it('is pasted, and what is none is refused with a reason', async () => {
    await page.goto(`${base}/review`);
    await page.getByLabel('Record or link').fill('{"format": "sixfold/1", "game": "chess"}');
    await page.getByRole('button', { name: 'Review' }).click();
    await expect
      .poll(() => page.getByRole('alert').innerText())
      .toContain('something is wrong with “players”');
    const broken = JSON.parse(record) as { events: string[] };
    broken.events[3] = '0 reroll reroll';
    await page.getByLabel('Record or link').fill(JSON.stringify(broken));
    await page.getByRole('button', { name: 'Review' }).click();
    await page.getByText('breaks a rule at event 4, “0 reroll reroll”').waitFor();
    await page.getByLabel('Record or link').fill(record);
    await page.getByRole('button', { name: 'Review' }).click();
    await judged(page);
  });
});
