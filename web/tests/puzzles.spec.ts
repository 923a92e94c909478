/** Puzzles: one is missed and solved in each game, and the one of the day is the same for everybody. */
import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { open, PHONE, visitor, type Game } from './table-driver';

const NAMES: Record<string, string> = {
  R: 'red',
  G: 'green',
  B: 'blue',
  O: 'orange',
  Y: 'yellow',
  P: 'purple',
};
// On this day (UTC) the first puzzle of the dice game is the daily one.
const DAY = 20_400;

/** A game's puzzles: what is right, and the best of what is not. */
function puzzles(game: Game): { answers: string[]; other: string }[] {
  const file = readFileSync(`../src/sixfold/review/puzzles-${game}.json`, 'utf8');
  return (JSON.parse(file) as { puzzles: { answers: string[]; other: string }[] }).puzzles;
}

/** Make a move by clicking. */
async function play(page: Page, move: string): Promise<void> {
  const [word, item = '', ...cells] = move.split(' ');
  const verb = page.locator('.act .button.main');
  if (word === 'reroll') return page.getByRole('button', { name: /^Roll again/ }).click();
  if (word === 'score') return verb.click();
  const names = [item, item[1]! + item[0]!].map((pair) => `${NAMES[pair[0]!]}-${NAMES[pair[1]!]}`);
  await page
    .locator(names.map((name) => `[data-part=hand] button[aria-label="${name}"]`).join())
    .first()
    .click();
  if (word === 'place') {
    await page.locator(`[data-cell=${cells[0]}]`).click();
    const other = page.locator(`[data-cell=${cells[1]}][aria-label*="${NAMES[item[1]!]}"]`);
    for (let turns = 0; turns < 6 && !(await other.count()); turns++)
      await page.getByRole('button', { name: 'Turn' }).click();
  }
  await verb.click();
}

describe('puzzles', () => {
  it.each([
    ['dice', 1, {}],
    ['cards', 1, PHONE],
    ['travel', 1, {}],
  ] as [Game, number, object][])(
    'of %s: number %i is missed, then solved, and stays solved',
    async (game, number, size) => {
      const { answers, other } = puzzles(game)[number - 1]!;
      const page = await open(await visitor(size), `/puzzles/${game}/${number}`);
      await page.getByText('which one wins most often').waitFor();
      await play(page, other);
      await page.getByText(/(about|at least) \d+ fewer wins in 100 games/).waitFor();
      await expect.poll(() => page.locator('[data-end]').getAttribute('data-end')).toBe('open');
      await play(page, answers[0]!);
      await page.getByText('Right!').waitFor();
      await page.getByText(/It wins \d+ games in 100; the next best move wins \d+/).waitFor();
      await expect.poll(() => page.locator('.tries').getAttribute('aria-label')).toBe('2 tries');
      await page.getByRole('button', { name: 'Puzzles' }).click();
      await page.getByRole('link', { name: `${number}, solved` }).waitFor();
      await page.getByText('1 of 100 solved').waitFor();
    },
  );

  it('say which there are, and why a move is not allowed', async () => {
    const placing = puzzles('travel').findIndex(({ answers }) => answers[0]!.startsWith('place ')) + 1;
    const page = await open(await visitor(), '/puzzles/travel/101');
    await page.getByText('they are numbered 1 to 100').waitFor();
    await page.getByRole('link', { name: 'Puzzles' }).click();
    await page
      .getByRole('link', { name: String(placing), exact: true })
      .last()
      .click();
    await page.locator('.rack button').first().click();
    await page.locator('[data-cell=a1]').click();
    await page.locator('.refusal a', { hasText: 'Rule T5' }).waitFor();
  });

  it('have one for the day, the same for all, with a result to send', async () => {
    const visitors = [await visitor(), await visitor({ ...PHONE, locale: 'de' })];
    const starts = [];
    for (const context of visitors) {
      await context.grantPermissions(['clipboard-read', 'clipboard-write']);
      await context.clock.setFixedTime(DAY * 86_400_000 + 40_000_000);
      starts.push(await open(context));
    }
    const ways = starts.map((page) => page.locator('.daily a'));
    for (const way of ways) expect(await way.getAttribute('href')).toBe('/puzzles/dice/1');
    const [page] = starts as [Page, Page];
    await ways[0]!.click();
    await page.getByText('which one wins most often').waitFor();
    await play(page, 'score');
    await page.getByText(/fewer wins in 100 games/).waitFor();
    await play(page, 'reroll');
    await page.getByRole('button', { name: 'Share result' }).click();
    await page.getByText('Copied').waitFor();
    const text = await page.evaluate(() => navigator.clipboard.readText());
    expect(text).toMatch(
      /^Sixfold · Puzzle of the day · .*2025.* · Dice game\n⬡⬢ 2 tries\nhttp.*\/puzzles\/dice\/1$/,
    );
    expect(text).not.toContain('roll');
    await page.goBack();
    await page.locator('.daily', { hasText: '⬡⬢' }).waitFor();
  });
});
