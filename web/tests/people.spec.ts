import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import {
  article,
  base,
  decide,
  decideAndSee,
  playFast,
  createTable,
  myTurn,
  open,
  tableId,
  visitor,
  type Game,
} from './table-driver';

/** Make a table on this device for two. */
async function passAndPlay(page: Page, game: Game, rounds = 1): Promise<void> {
  await page.locator(article(game)).getByRole('link', { name: 'On this device' }).click();
  await page.getByLabel('Player 1').fill('Anne');
  await page.getByLabel('Player 2').first().fill('Carl');
  if (game !== 'travel') await page.getByLabel('Rounds').selectOption(String(rounds));
  await page.getByRole('button', { name: 'Start' }).click();
  await page.locator('.status').waitFor();
}

describe('several people', () => {
  it('pass a device on behind a curtain, and nobody sees the other hand', async () => {
    const page = await open(await visitor());
    await passAndPlay(page, 'cards');
    const seen: string[] = [];
    for (let turn = 0; turn < 4; turn++) {
      const curtain = page.locator('.curtain');
      await curtain.waitFor();
      // Nothing of any hand is in the page while the curtain is drawn.
      expect(await page.locator('.fan').count()).toBe(0);
      seen.push(await curtain.locator('.title').innerText());
      await curtain.getByRole('button').click();
      await page.locator('.fan button').first().waitFor();
      await expect.poll(() => page.locator('.fan button').count()).toBe(6);
      await decideAndSee(page, 'cards');
      // There is a moment to see what it brought, unless new cards are offered first.
      const over = page.getByRole('button', { name: 'Hand over' });
      const renew = page.getByRole('button', { name: 'New cards' });
      await over.or(renew).first().waitFor();
      if (await renew.count()) await decide(page, 'cards');
      await over.click();
      await expect.poll(() => curtain.locator('.lines').innerText()).toMatch(/(Anne|Carl) plays/);
    }
    expect(new Set(seen).size).toBe(2);
    expect(seen[0]).toBe(seen[2]);
    expect(seen[1]).toBe(seen[3]);
  });

  it('play a series on one device, then a rematch', async () => {
    const page = await open(await visitor());
    await passAndPlay(page, 'dice', 2);
    await playFast(page);
    await page.getByRole('heading', { name: 'Round 1 is over' }).waitFor();
    await expect.poll(() => page.locator('.result header p').innerText()).toMatch(/marked all 42 boxes/);
    await page.getByRole('button', { name: 'Next round' }).click();
    await page.locator('.status.mine').waitFor();
    await playFast(page);
    const result = page.locator('.result');
    await result.getByRole('button', { name: 'Rematch' }).waitFor();
    const points = await result.locator('.points td').allInnerTexts();
    const [a1, b1, a2, b2, a, b] = points.map(Number);
    expect([a, b]).toEqual([a1! + a2!, b1! + b2!]);
    await result.getByRole('button', { name: 'Rematch' }).click();
    await page.locator('.status.mine').waitFor();
    expect(await result.count()).toBe(0);
  });

  it('meet by an invitation, react, and a third one watches an open table', async () => {
    const anne = await open(await visitor());
    await anne.locator(article('travel')).getByRole('link', { name: 'Invite' }).click();
    await anne.getByLabel('Public', { exact: false }).check();
    await anne.getByRole('button', { name: 'Create invite link' }).click();
    const link = await anne.getByLabel('Link').inputValue();
    await anne.locator('svg.qr path').waitFor();
    expect(await anne.getByRole('button', { name: 'Start' }).isDisabled()).toBe(true);

    const carl = await open(await visitor(), link.replace(base, ''));
    await carl.getByLabel('Your name').fill('Carl');
    await carl.getByRole('button', { name: 'Take a seat' }).click();
    await carl.waitForURL(/\/table\//);
    await anne.locator('.seats', { hasText: 'Carl' }).waitFor();
    await anne.getByRole('button', { name: 'Start' }).click();

    const watcher = await open(await visitor());
    await watcher.goto(`${base}/table/${tableId(anne)}`);
    await watcher.getByText('You are watching').waitFor();

    await anne.locator('.rack').waitFor();
    await carl.locator('.rack').waitFor();
    const [first, second] = (await anne.locator('.status.mine').count()) ? [anne, carl] : [carl, anne];
    await decide(first, 'travel');
    await second.locator('.status.mine').waitFor();
    await decide(second, 'travel');
    await first.locator('.status.mine').waitFor();
    await watcher
      .getByRole('log')
      .getByText(/Carl lays/)
      .first()
      .waitFor();
    // Who watches sees no tile in any hand.
    await expect.poll(() => watcher.locator('.rack [aria-label="face down"]').count()).toBe(6);
    expect(await watcher.locator('.rack button').count()).toBe(0);

    await carl.getByRole('button', { name: 'Say' }).click();
    await carl.getByRole('button', { name: 'Well played!' }).click();
    await anne.locator('.bubble', { hasText: 'Well played!' }).waitFor();
    await watcher.locator('.bubble', { hasText: 'Well played!' }).waitFor();
  });

  it('lose the connection in mid-turn and nothing else', async () => {
    const context = await visitor();
    await context.addInitScript(() => {
      const sockets: WebSocket[] = [];
      const Real = WebSocket;
      Object.assign(window, {
        sockets,
        WebSocket: class extends Real {
          constructor(address: string) {
            super(address);
            sockets.push(this);
          }
        },
      });
    });
    const page = await open(context);
    await createTable(page, { game: 'dice' });
    await myTurn(page);
    await context.setOffline(true);
    await page.evaluate(() =>
      (window as unknown as { sockets: WebSocket[] }).sockets.forEach((one) => one.close()),
    );
    await page.getByText('Connection lost').waitFor();
    await page.getByRole('button', { name: 'Score' }).click();
    expect(await page.getByRole('log').innerText()).not.toContain('scores');
    await context.setOffline(false);
    await page
      .getByRole('log')
      .getByText(/scores/)
      .first()
      .waitFor();
    expect(await page.getByText('Connection lost').count()).toBe(0);
    const lines = (await page.getByRole('log').innerText())
      .split('\n')
      .filter((line) => line.includes('scores'));
    expect(lines).toHaveLength(1);
    // It goes on from there, and also after the page is loaded again.
    await page.reload();
    await myTurn(page);
    await playFast(page);
  });

  it('play three and four at a table, with bots on the other seats', async () => {
    for (const [game, players, whole] of [
      ['cards', 3, true],
      ['cards', 4, false],
      ['dice', 3, false],
      ['dice', 4, true],
    ] as [Game, number, boolean][]) {
      const page = await open(await visitor());
      await page.locator(article(game)).getByRole('link', { name: 'On this device' }).click();
      await page.getByLabel('Players').selectOption(String(players));
      for (let seat = 2; seat <= players; seat++) {
        await page.getByLabel(`Who plays on seat ${seat}`).selectOption({ index: 1 });
      }
      await page.getByRole('button', { name: 'Start' }).click();
      await myTurn(page);
      await expect.poll(() => page.locator('.other').count()).toBe(players - 1);
      await decideAndSee(page, game);
      if (!whole) continue;
      await playFast(page);
      await expect.poll(() => page.locator('.result li').count()).toBe(players);
    }
  });
});
