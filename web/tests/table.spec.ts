import type { Locator, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import type { PositionOf } from '../src/lib/types';
import {
  againstBots,
  againstComputer,
  base,
  decide,
  decideAndSee,
  playFast,
  createTable,
  myTurn,
  open,
  send,
  tableSnapshot,
  visitor,
  type Game,
} from './table-driver';

/** A game of travel against the computer, with a tile in hand; the middle of each cell where it may lie. */
async function withTile(page: Page): Promise<{ x: number; y: number }[]> {
  await againstComputer(page, 'travel');
  await myTurn(page);
  await page.locator('.rack button:enabled').first().click();
  await page.locator('.cell.target').first().waitFor();
  return page.locator('.cell.target').evaluateAll((cells) =>
    cells.map((cell) => {
      const { x, y, width, height } = cell.getBoundingClientRect();
      return { x: x + width / 2, y: y + height / 2 };
    }),
  );
}

const lying = (page: Page): Promise<(string | null)[]> =>
  page
    .locator('.board .ghost')
    .evaluateAll((ghosts) => ghosts.map((ghost) => ghost.getAttribute('transform')).sort());

describe('in the hand', () => {
  it('a tile is dragged to the board and taken back', async () => {
    const page = await open(await visitor());
    const [target] = await withTile(page);
    await page.keyboard.press('Escape');
    const tile = (await page.locator('.rack button').nth(1).boundingBox())!;
    const grip = [tile.x + tile.width / 2, tile.y + tile.height / 2] as const;
    await page.mouse.move(...grip);
    await page.mouse.down();
    await page.mouse.move(target!.x, target!.y, { steps: 6 });
    await expect.poll(() => page.locator('.board .ghost:not(.firm)').count()).toBe(2);
    await page.mouse.up();
    await expect.poll(() => page.locator('.board .ghost.firm').count()).toBe(2);
    await expect.poll(() => page.locator('.rack button').nth(1).getAttribute('aria-pressed')).toBe('true');
    await page.getByRole('button', { name: 'Place' }).waitFor();
    await page.keyboard.press('Escape');
    expect(await page.locator('.board .ghost.firm').count()).toBe(0);

    // Let go beside the board, it is not put down.
    await page.mouse.move(...grip);
    await page.mouse.down();
    await page.mouse.move(target!.x, target!.y, { steps: 4 });
    await page.mouse.move(2, 2, { steps: 4 });
    await page.mouse.up();
    expect(await page.locator('.board .ghost').count()).toBe(0);
  });

  it('a tile is turned with the wheel, and the page stays where it is', async () => {
    const page = await open(await visitor({ viewport: { width: 1000, height: 600 } }));
    for (const { x, y } of await withTile(page)) {
      await page.mouse.move(x, y);
      const before = await lying(page);
      expect(before).toHaveLength(2);
      const scrolled = await page.evaluate(() => scrollY);
      const heard = page.evaluate(
        () =>
          new Promise((done) => addEventListener('wheel', () => requestAnimationFrame(done), { once: true })),
      );
      await page.mouse.wheel(0, 120);
      await heard;
      expect(await page.evaluate(() => scrollY)).toBe(scrolled);
      const after = await lying(page);
      if (after.join() === before.join()) continue; // it fits here in one way only
      await page.mouse.wheel(0, -120);
      await expect.poll(() => lying(page)).toEqual(before);
      return;
    }
    expect.fail('no cell lets the tile turn');
  });

  it('what is chosen stays in hand while somebody says something', async () => {
    const page = await open(await visitor());
    await withTile(page);
    await page.locator('.cell.target').first().click();
    await page.getByRole('button', { name: 'Say' }).click();
    await page.getByRole('button', { name: 'Hello!' }).click();
    await page.locator('.bubble', { hasText: 'Hello!' }).waitFor();
    await expect.poll(() => page.locator('.board .ghost.firm').count()).toBe(2);
  });
});

/** How much of a show is going on. */
const moving = (page: Page): Promise<number> =>
  page.evaluate(
    () =>
      document
        .getAnimations()
        .filter((one) => !(one instanceof CSSTransition))
        .filter((one) => !(one instanceof CSSAnimation) || one.animationName === 'rise').length,
  );

describe('what the others do', () => {
  it.each(['travel', 'cards', 'dice'] as Game[])(
    'is shown, stays marked, is cut short by a touch and shown again: %s',
    async (game) => {
      const page = await open(await visitor({ reducedMotion: 'no-preference' }, 6000));
      await againstBots(page, game, 2);
      await decideAndSee(page, game);
      await page.locator('.last:not(:has-text("You"))').waitFor();
      await expect.poll(() => moving(page)).toBeGreaterThan(0);
      // What comes next, like one's own roll, is a show of its own; each takes longer than all touches together.
      await expect
        .poll(async () => {
          await page.locator('[data-part=hand]').click({ position: { x: 3, y: 3 } });
          return moving(page);
        })
        .toBe(0);
      await page.locator('.status.mine').waitFor();
      const told = await page.locator('.last').innerText();
      if (game === 'travel') await expect.poll(() => page.locator('.board [data-mark]').count()).toBe(2);
      if (game === 'cards') await expect.poll(() => page.locator('.other .piece.recent').count()).toBe(1);
      await page.locator('.last').click();
      await expect.poll(() => moving(page)).toBeGreaterThan(0);
      await expect.poll(() => page.locator('.last').innerText()).toBe(told);
    },
  );

  it('is not acted out for who wants less motion', async () => {
    const page = await open(await visitor({ reducedMotion: 'reduce' }, 6000));
    await againstBots(page, 'cards', 2);
    await decideAndSee(page, 'cards');
    await page.locator('.status.mine').waitFor();
    expect(await moving(page)).toBe(0);
    await expect.poll(() => page.locator('.other .piece.recent').count()).toBe(1);
    // A short transition of everything would show half of both layouts when a phone is turned.
    const changing = page.locator('.table').evaluate((one) => getComputedStyle(one).transitionProperty);
    expect(await changing).toBe('none');
  });
});

describe('a renewed hand (C13)', () => {
  type Told = Awaited<ReturnType<typeof tableSnapshot>>;
  const seen = ({ views }: Told): PositionOf<'cards'> => views[0]!.position as unknown as PositionOf<'cards'>;
  /** After bonus turns a hand may be short (C14). Where the pile holds two hands, nothing is shuffled back into it (C12)
   *  while the renewed hand and the bot's answer are drawn. */
  const choice = (table: Told): boolean =>
    table.views.some(({ legal }) => legal.includes('renew')) && seen(table).pile > 12;

  it('is shown to everybody for a moment, stays in the log, and lies among the discards', async () => {
    const page = await open(await visitor());
    const watching = await visitor({ reducedMotion: 'no-preference' }, 1500);
    for (let table = 0; table < 20; table++) {
      const seats = [
        { kind: 'me', name: 'Anne' },
        { kind: 'bot', level: 'level1' },
      ];
      await createTable(page, { game: 'cards', public: true, seats });
      if (!(await playFast(page, choice))) continue;
      const { hands, seen_by } = seen(await tableSnapshot(page));
      const hand = hands[seen_by!]!;
      const spectator = await open(watching, new URL(page.url()).pathname);
      await spectator.locator('.table').waitFor();
      await send(page, 'renew');
      await spectator.locator('.shown').waitFor();
      await expect.poll(() => spectator.locator('.shown .card').count()).toBe(hand.length);
      await spectator.locator('.shown').waitFor({ state: 'detached' });
      const line = spectator.locator('.log p', { hasText: 'takes a new hand. The old one was:' }).last();
      const named = (cards: Locator): Promise<string[]> =>
        cards.locator('[role=img]').evaluateAll((all) => all.map((one) => one.getAttribute('aria-label')!));
      await expect.poll(() => named(line)).toHaveLength(hand.length);
      const discards = spectator.locator('.discards');
      // A touch during a show only cuts it short.
      const lying = async (): Promise<string[]> => {
        if (!(await discards.count())) await spectator.locator('.piles').click();
        return named(discards);
      };
      await expect.poll(lying).toEqual(expect.arrayContaining(await named(line)));
      return;
    }
    expect.fail('nobody ever had the choice');
  });
});

describe('a turn', () => {
  it('goes on with a bonus, and everybody sees it', async () => {
    const page = await open(await visitor());
    const ahead = ({ views }: Awaited<ReturnType<typeof tableSnapshot>>): string | undefined => {
      const view = views[0]!;
      const at = view.previews.findIndex((row) => row[6] === 2);
      return at < 0 ? undefined : view.legal[at];
    };
    for (let table = 0; table < 10; table++) {
      await page.goto(base);
      await againstComputer(page, 'cards');
      if (!(await playFast(page, (table) => ahead(table) !== undefined))) continue;
      expect(await page.locator('.bonus').count()).toBe(0);
      await send(page, ahead(await tableSnapshot(page))!);
      await expect.poll(() => page.locator('.bonus').innerText()).toContain('Bonus turn!');
      await page.locator('.status.mine').waitFor();
      await decide(page, 'cards');
      return;
    }
    expect.fail('no chip ever came to the end');
  });

  it('runs against a clock, which ends the game when it has run down', async () => {
    const page = await open(await visitor());
    await createTable(page, { game: 'dice', clock: 'game', seconds: 6, first: 0 });
    const clocks = page.locator('.clock');
    await clocks.first().waitFor();
    const [mine, theirs] = await clocks.allInnerTexts();
    expect(theirs).toBe('0:06');
    await page.waitForFunction((was) => document.querySelector('.clock')!.textContent !== was, mine!);
    await expect.poll(() => clocks.first().innerText()).toMatch(/^0:0[0-5]$/);
    await expect.poll(() => clocks.nth(1).innerText()).toBe('0:06');
    await expect.poll(() => page.locator('.result').innerText()).toContain('ran out of time');
  });
});
