import { mkdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { againstBots, playFast, open, visitor, type Game } from '../tests/table-driver';
import { everySize, playOn, selectPiece, saveWebp, TABLES } from './screenshot';

const SHOTS = '../screenshots/tables';
const DOCS = '../docs/pictures';

describe.skipIf(process.env.DOCS)('every state in every size', () => {
  const cases = TABLES.flatMap(([game, players]) =>
    ['en', 'de', 'nl'].map((language) => [game, players, language] as [Game, number, string]),
  );
  it.each(cases)('%s with %i players, %s', async (game, players, language) => {
    const page = await open(await visitor({ locale: language }));
    const folder = `${SHOTS}/${game}-${players}-${language}`;
    await againstBots(page, game, players, { level: 'level2', rounds: game === 'travel' ? 1 : 2 });
    await everySize(page, folder, '1-begin');
    await playOn(page, 5);
    await everySize(page, folder, '2-turn');
    await selectPiece(page, game);
    await everySize(page, folder, '3-preview');
    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');
    if (game === 'travel') {
      await page.locator('.rack button:enabled').first().click();
      await page.locator('[data-cell=a1]').click();
      await page.locator('.refusal').waitFor();
      await everySize(page, folder, '4-refusal');
      await page.keyboard.press('Escape');
    }
    await page.setViewportSize({ width: 1366, height: 650 });
    await page.getByRole('button', { name: /^(Hint|Tipp|Hint|Tip)$/ }).click();
    await page.locator('.hint').waitFor();
    await everySize(page, folder, '5-hint');
    const choice = game === 'travel' ? 'swap' : 'renew';
    if (game !== 'dice' && (await playFast(page, ({ views }) => views[0]!.legal.includes(choice))))
      await everySize(page, folder, '6-choice');
    await playFast(page);
    await everySize(page, folder, '7-result');
    await page.locator('.result a[href*="/review/"]').click();
    await page.locator('[aria-labelledby=sums]').waitFor();
    await everySize(page, folder, '8-review');
  });
});

describe.runIf(process.env.DOCS)('pictures for the documentation', () => {
  it.each([
    ['travel', 2, 1366, 650, 11, 'travel'],
    ['cards', 3, 1366, 650, 8, 'cards'],
    ['dice', 2, 1366, 650, 6, 'dice'],
    ['travel', 2, 390, 664, 9, 'phone'],
  ] as [Game, number, number, number, number, string][])(
    '%s with %i players at %i × %i',
    async (game, players, width, height, decisions, name) => {
      mkdirSync(DOCS, { recursive: true });
      const page = await open(await visitor({ viewport: { width, height } }));
      await againstBots(page, game, players, { level: 'level3' });
      await playOn(page, decisions);
      await selectPiece(page, game);
      await page.waitForTimeout(300);
      expect(await saveWebp(page, `${DOCS}/${name}.webp`)).toBeLessThan(120_000);
    },
  );
});
