import { describe, it } from 'vitest';
import { base, decide, open, visitor, type Game } from '../tests/table-driver';
import { everySize } from './screenshot';

const SHOTS = '../screenshots/puzzles';
const LANGUAGES = ['en', 'de', 'nl'];
const GAMES: Game[] = ['dice', 'cards', 'travel'];

describe.skipIf(process.env.DOCS)('puzzles and the analysis board in every size', () => {
  const cases = GAMES.flatMap((game) => LANGUAGES.map((language) => [game, language] as [Game, string]));

  it.each(LANGUAGES)('the start page and the list, %s', async (language) => {
    const page = await open(await visitor({ locale: language }));
    await page.locator('.daily').waitFor();
    await everySize(page, `${SHOTS}/pages-${language}`, '1-start');
    await page.goto(`${base}/puzzles`);
    await page.locator('section li').nth(250).waitFor();
    await everySize(page, `${SHOTS}/pages-${language}`, '2-list');
  });

  it.each(cases)('a puzzle of %s, %s', async (game, language) => {
    const folder = `${SHOTS}/${game}-${language}`;
    const page = await open(await visitor({ locale: language }), `/puzzles/${game}/2`);
    await page.locator('.ways button').waitFor();
    await everySize(page, folder, '1-open');
    await decide(page, game);
    await page.locator('.tries').waitFor();
    await everySize(page, folder, '2-tried');
    await page.locator('.ways button').first().click();
    await everySize(page, folder, '3-answer');
  });

  it.each(cases)('a position of %s, %s', async (game, language) => {
    const folder = `${SHOTS}/analysis-${game}-${language}`;
    const page = await open(await visitor({ locale: language }), '/analysis');
    await page.locator('.candidates li').first().waitFor();
    await page.locator('.top button').first().click();
    await page.locator('.setup select').first().selectOption(game);
    await everySize(page, folder, '1-setup');
    await page.locator('.setup .button.main:enabled').click();
    await page.locator('.candidates li').nth(1).waitFor();
    await everySize(page, folder, '2-moves');
    await page.locator('.candidates li button').first().click();
    await page.locator('.line .step').nth(1).waitFor();
    await everySize(page, folder, '3-chance');
  });
});
