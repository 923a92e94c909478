import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { againstComputer, base, playFast, myTurn, open, playOut, visitor, type Game } from './table-driver';

describe.each(['dice', 'cards', 'travel'] as Game[])('a whole game of %s against the computer', (game) => {
  it('is played by clicking, and ends with places, a reason, a record and a replay', async () => {
    const context = await visitor();
    const page = await open(context);
    await againstComputer(page, game);
    const table = await page.locator('.table > *').elementHandle();
    await playOut(page, game);
    // A move changes the table; it does not build it anew, or the focus would be lost.
    expect(await table!.evaluate((element) => element.isConnected)).toBe(true);

    const result = page.locator('.result');
    await expect.poll(() => result.locator('.title').innerText()).toMatch(/win/i);
    await expect
      .poll(() => result.locator('.title + p').innerText())
      .toMatch(/decides|equal|42 boxes|chips home/);
    await expect.poll(() => result.locator('li').count()).toBe(2);
    await expect.poll(() => page.getByRole('log').innerText()).toMatch(/score|play|lay/);

    const [download] = await Promise.all([page.waitForEvent('download'), result.getByText('Record').click()]);
    const record = JSON.parse(readFileSync((await download.path())!, 'utf8')) as Record<string, unknown>;
    expect(record.game).toBe(game);
    expect(record.result).not.toBeNull();

    await result.getByRole('link', { name: 'Replay' }).click();
    await page.getByLabel('To the end').click();
    const last = await page.locator('.count').innerText();
    await page.keyboard.press('ArrowLeft');
    expect(await page.locator('.count').innerText()).not.toBe(last);
    await expect.poll(() => page.locator('.proof code').nth(1).innerText()).toMatch(/^[0-9a-f]{64}$/);
  });
});

describe('at the table', () => {
  it('a decision is taken back as long as nothing was revealed', async () => {
    const context = await visitor();
    const page = await open(context);
    // Cards: after a play a hand without a lowest symbol may be renewed; that play can be taken back.
    for (let table = 0; table < 20; table++) {
      await page.goto(`${base}/`);
      await againstComputer(page, 'cards');
      if (!(await playFast(page, ({ views }) => views[0]!.legal.includes('renew')))) continue;
      await page.getByRole('button', { name: 'New cards' }).waitFor();
      await page.getByRole('button', { name: 'Undo' }).click();
      await page.getByText('Choose a card').waitFor();
      await expect
        .poll(() => page.getByRole('log').innerText())
        .toContain('You take your last decision back');
      return;
    }
    expect.fail('a hand could never be renewed');
  });

  it('an illegal attempt explains itself and leads to the clause', async () => {
    const page = await open(await visitor());
    await againstComputer(page, 'travel');
    await myTurn(page);
    await page.locator('.rack button:enabled').first().click();
    await page.locator('[data-cell=f6]').click();
    const refusal = page.locator('.refusal');
    expect(await refusal.innerText()).toContain('must touch a printed corner');
    await refusal.getByRole('link').click();
    await page.locator('#T6.meant').waitFor();
  });

  it('a hint names a move, and resigning ends the game', async () => {
    const page = await open(await visitor());
    await againstComputer(page, 'dice');
    await myTurn(page);
    await page.getByRole('button', { name: 'Hint' }).click();
    await expect.poll(() => page.locator('.hint').innerText()).toMatch(/^(Score|Roll again).*: /);
    await page.getByRole('button', { name: 'Resign' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Resign' }).click();
    await expect.poll(() => page.locator('.result').innerText()).toContain('resigned');
  });
});
