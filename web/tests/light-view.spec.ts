/** What the page works out by itself: views that come as states, and one's own move before the server has answered. */
import type { Page, WebSocketRoute } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { againstBots, decide, decideAndSee, myTurn, open, visitor, type Game } from './table-driver';

interface Between {
  /** What the server said since it was stopped; null while everything goes through. */
  held: string[] | null;
  /** Refuses the next action instead of sending it on. */
  refuse: boolean;
  page: WebSocketRoute | null;
}

/** Somebody between the page and its server. */
async function between(page: Page): Promise<Between> {
  const state: Between = { held: null, refuse: false, page: null };
  await page.routeWebSocket(/\/socket\?.*view=state/, (route) => {
    state.page = route;
    const server = route.connectToServer();
    server.onMessage((message) => {
      if (state.held) state.held.push(String(message));
      else route.send(message);
    });
    route.onMessage((message) => {
      const { id, do: what } = JSON.parse(String(message)) as { id: string; do: string };
      if (!state.refuse || what === 'ping') return server.send(message);
      const why = { key: 'taken', reason: 'c4 is taken', clause: 'T5', words: {} };
      route.send(JSON.stringify({ type: 'refused', id, version: 1, ...why }));
    });
  });
  return state;
}

describe('the page works out by itself', () => {
  it.each(['dice', 'cards', 'travel'] as Game[])('which moves there are, in %s', async (game) => {
    const page = await open(await visitor());
    await between(page);
    await againstBots(page, game, 2);
    for (let move = 0; move < 3 && (await myTurn(page)); move++) await decideAndSee(page, game);
    await page.close();
  });

  it('what a move does, and takes it back where it is refused', async () => {
    const page = await open(await visitor());
    const wire = await between(page);
    await againstBots(page, 'travel', 2);
    const own = page.getByRole('log').getByText('You lay');
    const tiles = page.locator('.rack button');

    wire.refuse = true;
    await decide(page, 'travel');
    await page.getByText('c4 is taken').waitFor();
    expect(await own.count()).toBe(0);
    expect(await tiles.count()).toBe(6);

    wire.refuse = false;
    wire.held = [];
    await decide(page, 'travel');
    await own.waitFor();
    expect(await tiles.count()).toBe(5);
    await expect.poll(() => wire.held!.length).toBeGreaterThan(1);
    const told = wire.held;
    wire.held = null;
    told.forEach((message) => wire.page!.send(message));
    await myTurn(page);
    expect(await own.count()).toBe(1);
    expect(await tiles.count()).toBe(6);
    await page.close();
  });
});
