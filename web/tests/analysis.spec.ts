/** The analysis board: a pasted record with variations, positions set up by hand, and what cannot be. */
import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { act, againstBots, base, playFast, open, PHONE, tableId, visitor, type Game } from './table-driver';

/** What leads to the first puzzle of a game, as a record. */
const record = (game: Game): Record<string, unknown> & { events: string[] } => {
  const file = readFileSync(`../src/sixfold/review/puzzles-${game}.json`, 'utf8');
  const { puzzles } = JSON.parse(file) as { puzzles: { events: string[] }[] };
  const options = {
    dice: { split_jokers: false, hidden_start: false },
    cards: {},
    travel: { open_racks: false },
  };
  const { events } = puzzles[0]!;
  return { format: 'sixfold/1', game, players: 2, options: options[game], names: ['Anne', 'Carl'], events };
};

async function paste(page: Page, text: string): Promise<void> {
  if (!(await page.locator('textarea').count())) await page.getByRole('button', { name: 'Paste' }).click();
  await page.locator('textarea').fill(text);
  await page.getByRole('button', { name: 'Open', exact: true }).click();
}

const moves = (page: Page) => page.locator('.candidates li button');
const chances = async (page: Page): Promise<number[]> =>
  (await page.locator('.chances dd').allTextContents()).map(Number);

describe('the analysis board', () => {
  it('judges a pasted record, and goes back to every fork', async () => {
    const page = await open(await visitor(), '/analysis');
    await moves(page).first().waitFor();
    await paste(page, JSON.stringify(record('travel')));
    await page.getByRole('heading', { name: 'Analysis: Travel edition' }).waitFor();
    await page.locator('.candidates li', { hasText: 'i5–j4' }).first().waitFor();
    // It thinks until it is told to stop, or has thought enough.
    await page.getByRole('button', { name: /^(Stop|Thought through)$/ }).waitFor();
    const tile = page.locator('.rack button');
    expect(await tile.count()).toBe(6);
    await moves(page).first().click();
    await page.getByRole('button', { name: 'By lot' }).click();
    await page.locator('[aria-current=step]', { hasText: 'Anne draws' }).waitFor();
    await moves(page).first().waitFor(); // Carl's, from what Carl knows
    await page.getByRole('button', { name: 'Back' }).click();
    await page.getByRole('button', { name: 'Back' }).click();
    await moves(page).nth(1).click();
    const fork = page.locator('.step.fork');
    await fork.waitFor();
    const text = await page.locator('[aria-current=step]').innerText();
    await fork.click();
    await page.locator('[aria-current=step]').filter({ hasNotText: text }).waitFor();
    await page.getByLabel('Seen from').selectOption({ label: 'Carl' });
    await page.locator('.track', { hasText: 'Anne' }).waitFor();
  });

  it('knows the odds of the dice game before and after a roll, on a phone too', async () => {
    const page = await open(await visitor(PHONE), '/analysis');
    await paste(page, JSON.stringify(record('dice')));
    await page.locator('.candidates li', { hasText: 'Roll again' }).first().waitFor();
    await page.getByText('from the solution, approximated').waitFor();
    const odds = Number(/[\d.]+/.exec(await moves(page).first().locator('.chance').innerText())![0]);
    await page.locator('.chances dd').first().waitFor();
    const [own, other] = (await chances(page)) as [number, number];
    expect(own).toBeCloseTo(odds, 1);
    expect(own + other).toBeCloseTo(100, 1);
    await moves(page).first().click();
    await page.getByText('Anne gets 4').waitFor();
    // Rolling again was the best: before the roll the chance is the one that it promised.
    await expect.poll(() => chances(page)).toEqual([own, other]);
    for (const symbol of ['red', 'red', 'blue', 'purple'])
      await page.locator('.side').getByRole('button', { name: symbol, exact: true }).first().click();
    await page.locator('[aria-current=step]', { hasText: 'Anne rolls' }).waitFor();
    await moves(page).first().waitFor();
  });

  it('takes the odds of a server that has the values, and says so', async () => {
    const context = await visitor();
    const asked: { phase: string }[] = [];
    await context.route('**/api/odds?*', (route) => {
      const position = JSON.parse(
        new URL(route.request().url()).searchParams.get('view')!,
      ) as (typeof asked)[0];
      asked.push(position);
      const candidates = position.phase === 'decide' ? [{ move: 'score', chance: 12.3, error: 0 }] : [];
      return route.fulfill({ json: { chances: [12.3, 87.7], candidates } });
    });
    const page = await open(context, '/analysis');
    await paste(page, JSON.stringify(record('dice')));
    await page.getByText('exact, from the solution').waitFor();
    await expect.poll(() => chances(page)).toEqual([12.3, 87.7]);
    expect(await moves(page).count()).toBe(1);
    expect(await moves(page).locator('.chance').innerText()).toBe('12.3');
    // For moves and chances of a position it is asked once.
    expect(new Set(asked.map((position) => JSON.stringify(position))).size).toBe(asked.length);
    await context.close();
  });

  it('sets up a position, says what cannot be, and shares it', async () => {
    const page = await open(await visitor(), '/analysis');
    await page.getByRole('button', { name: 'Set up' }).click();
    await page.locator('.setup select').first().selectOption('travel');
    await page.getByRole('heading', { name: 'Board' }).waitFor();
    const lay = page.getByRole('group', { name: 'Choose a tile' }).locator('button:enabled');
    await lay.nth(2).click();
    await page.locator('[data-cell=a2]').click();
    await page.locator('[data-cell=a3]').click();
    await page.locator('input[type=range]').first().fill('7');
    const use = page.getByRole('button', { name: 'Analyse', exact: true });
    const unknown = page.getByLabel('unknown');
    await unknown.first().check();
    await page.getByText('exactly one player’s hand is known').waitFor();
    await page.getByRole('link', { name: 'Rule T4' }).waitFor();
    expect(await use.isDisabled()).toBe(true);
    await unknown.first().uncheck();
    await use.click();
    await moves(page).first().waitFor();
    expect(await page.locator('[data-cell=a2]').getAttribute('aria-label')).not.toContain('free');
    await page.getByRole('button', { name: 'Deal what is hidden by lot' }).waitFor();
    await page.getByRole('button', { name: 'Copy link' }).click();
    const link = await page.locator('.link input').inputValue();
    expect(link).toMatch(/\/analysis#position=/);
    const other = await open(page.context(), link.slice(base.length));
    await moves(other).first().waitFor();
    await expect
      .poll(() => other.locator('[data-cell=a2]').getAttribute('aria-label'))
      .toBe(await page.locator('[data-cell=a2]').getAttribute('aria-label'));
  });

  it('says what is wrong with what is pasted', async () => {
    const page = await open(await visitor(), '/analysis');
    const said = page.locator('dialog [role=alert]');
    await paste(page, 'hello');
    await expect.poll(() => said.innerText()).toContain('neither a link nor JSON');
    const { events, ...head } = record('travel');
    const twice = events.with(4, events[2]!.replace('0', '1'));
    await paste(page, JSON.stringify({ ...head, events: twice }));
    await expect.poll(() => said.innerText()).toMatch(/event 5, “1 place .*\(T5\)/);
    await paste(page, `${base}/#position=nothing`);
    await expect.poll(() => said.innerText()).toContain('does not hold a position');
    await page.goto(`${base}/analysis/nowhere/1`);
    await page.locator('.gone [role=alert]').waitFor();
  });

  it('opens a finished game where it was looked at', async () => {
    const page = await open(await visitor());
    await againstBots(page, 'cards', 2);
    let left = 3;
    await playFast(page, () => left-- === 0);
    await act(page, { do: 'resign', seat: 0 });
    await page.locator('.result').waitFor();
    const way = page.getByRole('link', { name: 'Analyse this position' });
    expect(await way.getAttribute('href')).toBe(`/analysis/${tableId(page)}/1`);
    await page.goto(`${base}/replay/${tableId(page)}/1?step=2`);
    await way.click();
    await moves(page).first().waitFor();
    await expect.poll(() => page.locator('.line li').count()).toBeGreaterThan(4);
    await expect.poll(() => page.locator('.line .step').nth(2).getAttribute('aria-current')).toBe('step');
  });
});
