/** A tour of every page except the states of a table; the caller inspects each one. */
import type { Page } from 'playwright-core';
import { againstComputer, article, base, playFast, myTurn, tableId, type Game } from './table-driver';

const GAMES: Game[] = ['dice', 'cards', 'travel'];

/** Every page there is, with something on it. */
export async function walk(page: Page, look: (name: string) => Promise<void>): Promise<void> {
  await page.locator(`${article('dice')} .wide:enabled`).waitFor();
  await look('start');
  for (const game of GAMES) {
    await page.goto(base);
    await againstComputer(page, game);
    await myTurn(page);
    if (game === 'dice')
      await page
        .locator('.faces:enabled')
        .first()
        .click({ timeout: 300 })
        .catch(() => null);
    else if (game === 'cards') await page.locator('.fan button').first().click();
    else {
      await page.locator('.rack button').first().click();
      await page.locator('.cell.target').nth(3).click();
    }
    await look(game);
    await page.goto(`${base}/rules/${game}`);
    await page.locator('dl').first().waitFor();
    await look(`rules-${game}`);
  }
  await page.goto(`${base}/new/dice/here`);
  await look('new-here');
  await page.goto(`${base}/new/cards`);
  await page.locator('form .button.main').waitFor();
  await look('new');
  await page.locator('form .button.main').click();
  await page.locator('svg.qr path').waitFor();
  const link = await page.locator('.invite input').inputValue();
  await look('lobby');
  // Who sits there already goes straight to the table.
  await page.context().clearCookies();
  await page.goto(`${base}/`);
  await page.goto(link);
  await page.locator('form .button.main').waitFor();
  await look('join');
  await page.goto(base);
  await againstComputer(page, 'dice');
  await playFast(page);
  await look('result');
  const id = tableId(page);
  await page.goto(`${base}/replay/${id}/1`);
  await page.locator('.control').waitFor();
  await look('replay');
  await page.goto(`${base}/review/${id}/1`);
  await page.locator('[aria-labelledby=sums]').waitFor();
  await look('review');
  await page.goto(`${base}/review`);
  await page.locator('textarea').waitFor();
  await look('record');
  await page.goto(`${base}/table/nowhere`);
  await page.locator('.gone').waitFor();
  await look('refused');
  await page.goto(`${base}/nowhere`);
  await page.locator('.nowhere').waitFor();
  await look('nowhere');
  await page.goto(`${base}/games`);
  await page.locator('.list, .going').first().waitFor();
  await look('games');
  await page.goto(base);
  await page.locator('.me').click();
  await look('me');
  for (const game of GAMES) {
    await page.goto(`${base}/learn/${game}`);
    await page.locator('.light .ring').first().waitFor();
    await look(`learn-${game}`);
  }
  await page.goto(`${base}/puzzles`);
  await page.locator('section li').nth(250).waitFor();
  await look('puzzles');
  await page.goto(`${base}/puzzles/travel/2`);
  await page.locator('.ways button').click();
  await page.locator('.ways .main').waitFor();
  await look('puzzle');
  await page.goto(`${base}/analysis`);
  await page.locator('.candidates li').first().waitFor();
  await look('analysis');
  await page.locator('.top button').first().click();
  await page.locator('.setup select').first().selectOption('travel');
  await page.locator('.setup .board').waitFor();
  await look('setup');
  await page.goto(`${base}/new/cards/here`);
  await page.locator('form .button.main').click();
  await page.locator('.curtain').waitFor();
  await look('curtain');
}
