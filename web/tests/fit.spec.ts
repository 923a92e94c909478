import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { againstBots, base, decideAndSee, open, playOn, tableId, visitor, type Game } from './table-driver';

const SIZES: [number, number][] = [
  [1366, 650],
  [1280, 720],
  [1920, 950],
  [1024, 768],
  [390, 664],
  [360, 640],
  [844, 390],
];
const LANGUAGES = ['en', 'de', 'nl'];

/** Another size of window; the browser takes a moment to tell the page of it. */
async function resize(page: Page, [width, height]: [number, number]): Promise<void> {
  await page.setViewportSize({ width, height });
  await page.waitForFunction(
    ([wide, high]) => innerWidth === wide && document.querySelector('.page')!.clientHeight === high,
    [width, height],
  );
}

/** Until the page has been drawn as it is now. */
const settled = (page: Page): Promise<unknown> =>
  page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));

/** Take something in hand, without deciding anything. */
async function touch(page: Page, game: Game): Promise<void> {
  const piece = page.locator('.rack button:enabled, .fan button:enabled, .faces:enabled').first();
  if (!(await piece.count())) return;
  await piece.click();
  const next = page.locator(game === 'travel' ? '.cell.target' : '.choose').first();
  if (await next.count()) await next.click();
}

/** And back: Escape puts down what is in hand. */
async function putBack(page: Page): Promise<void> {
  await page.keyboard.press('Escape');
  await page.keyboard.press('Escape');
}

/** A decision by clicking, and some more without, to get on with it; true while it is this page's turn again. */
async function goOn(page: Page, game: Game, more: number): Promise<boolean> {
  await decideAndSee(page, game);
  const { views, version } = await playOn(page, more);
  const over = views[0]!.stage !== 'playing';
  await page.locator(over ? '.result' : `.table[data-version="${version}"]`).waitFor();
  return !over;
}

/** What sticks out of the window, lies on something else, or makes the page scroll. */
const misplaced = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const wrong: string[] = [];
    const { scrollHeight, scrollWidth } = document.documentElement;
    if (scrollHeight > innerHeight || scrollWidth > innerWidth) wrong.push('the page scrolls');
    const parts = [...document.querySelectorAll<HTMLElement>('[data-part]')]
      .filter((part) => getComputedStyle(part).visibility !== 'hidden')
      .map((part) => ({ part, name: part.dataset.part!, box: part.getBoundingClientRect() }));
    const least = { board: 250, sheets: 45, hand: 45, action: 90, seats: 25, log: 90 } as Record<
      string,
      number
    >;
    const out = (box: DOMRect, around: DOMRect): boolean =>
      box.left < around.left - 1 ||
      box.top < around.top - 12 || // what is chosen is lifted a little
      box.right > around.right + 1 ||
      box.bottom > around.bottom + 1;
    const told = ({ x, y, width, height }: DOMRect): string => [x, y, width, height].map(Math.round).join();
    const screen = new DOMRect(0, 0, innerWidth, innerHeight);
    for (const { part, name, box } of parts) {
      if (box.top < 0 || out(box, screen)) wrong.push(`${name} is not in the window: ${told(box)}`);
      if (box.height < least[name]!) wrong.push(`${name} is only ${box.height} high`);
      for (const words of part.querySelectorAll('.words'))
        if (words.scrollHeight > words.clientHeight + 1)
          wrong.push(`${name}: words are cut off: ${words.textContent}`);
      const within = { hand: 'button, svg', action: 'button, svg', sheets: 'button, .piece' }[name];
      for (const inside of within ? part.querySelectorAll(within) : []) {
        const place = inside.getBoundingClientRect();
        if (place.width < 12 || out(place, box))
          wrong.push(`${name}: ${inside.outerHTML.slice(0, 60)} ${told(place)}`);
      }
    }
    parts.forEach(({ name, box }, at) => {
      for (const other of parts.slice(at + 1)) {
        const wide = Math.min(box.right, other.box.right) - Math.max(box.left, other.box.left);
        const high = Math.min(box.bottom, other.box.bottom) - Math.max(box.top, other.box.top);
        if (wide > 0.5 && high > 0.5) wrong.push(`${name} and ${other.name} overlap`);
      }
    });
    for (const name of ['seats', 'hand', 'action'])
      if (parts.filter((part) => part.name === name).length !== 1) wrong.push(`${name} is missing`);
    if (!parts.some(({ name }) => name === 'board' || name === 'sheets')) wrong.push('the middle is missing');
    return [...new Set(wrong)];
  });

describe('the table fits the window from the first move to the last', () => {
  it.each([
    ['travel', 2, 'en'],
    ['cards', 2, 'de'],
    ['cards', 3, 'en'],
    ['cards', 4, 'nl'],
    ['dice', 2, 'nl'],
    ['dice', 3, 'de'],
    ['dice', 4, 'en'],
  ] as [Game, number, string][])('%s with %i players', async (game, players, first) => {
    const context = await visitor({ locale: first });
    const page = await open(context);
    await againstBots(page, game, players);
    const found: string[] = [];
    let language = LANGUAGES.indexOf(first);
    for (let turn = 0; ; turn++) {
      const [width, height] = SIZES[turn % SIZES.length]!;
      await resize(page, [width, height]);
      const look = async (when: string): Promise<void> => {
        await settled(page);
        for (const what of await misplaced(page))
          found.push(`${LANGUAGES[language]}, turn ${turn}, ${width} × ${height}, ${when}: ${what}`);
      };
      await look('in turn');
      await touch(page, game);
      await look('with something in hand');
      await putBack(page);
      if (!(await goOn(page, game, turn < SIZES.length ? 0 : 6))) break;
      if (turn % SIZES.length < SIZES.length - 1) continue;
      language = (language + 1) % LANGUAGES.length;
      await page.evaluate((one) => localStorage.setItem('sixfold.language', one), LANGUAGES[language]!);
      await page.goto(`${base}/table/${tableId(page)}`);
      await page.locator('.status.mine').waitFor();
    }
    for (const [width, height] of SIZES) {
      await resize(page, [width, height]);
      await settled(page);
      for (const what of await misplaced(page)) found.push(`at the end, ${width} × ${height}: ${what}`);
    }
    expect(found.slice(0, 8)).toEqual([]);
  });
});

interface Watching {
  moved: string[];
  look: () => void;
}

/** Notes every change of place or size of a part, also those that the browser itself calls a shift. */
const watchPlaces = (page: Page): Promise<void> =>
  page.evaluate(() => {
    const PARTS = ['board', 'sheets', 'hand', 'action'];
    const moved: string[] = [];
    const places = new Map<string, string>();
    const look = (): void => {
      for (const name of PARTS) {
        const part = document.querySelector(`[data-part=${name}]`);
        if (!part) continue;
        const { x, y, width, height } = part.getBoundingClientRect();
        const place = [x, y, width, height].map(Math.round).join();
        if ((places.get(name) ?? place) !== place) moved.push(`${name}: ${places.get(name)} to ${place}`);
        places.set(name, place);
      }
    };
    const selector = PARTS.map((name) => `[data-part=${name}]`).join();
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as (PerformanceEntry & { sources: { node?: Node }[] })[])
        for (const { node } of entry.sources)
          if (node instanceof Element && (node.matches(selector) || node.querySelector(selector)))
            moved.push(`a shift of ${node.outerHTML.slice(0, 80)}`);
    }).observe({ type: 'layout-shift', buffered: false });
    Object.assign(window, { moved, look } satisfies Watching);
  });

describe('nothing jumps', () => {
  it.each([
    ['travel', 2, 1366, 650],
    ['cards', 3, 390, 664],
    ['dice', 2, 844, 390],
  ] as [Game, number, number, number][])(
    'in a whole game of %s with %i players at %i × %i',
    async (game, players, width, height) => {
      const page = await open(await visitor({ viewport: { width, height } }));
      await againstBots(page, game, players);
      await watchPlaces(page);
      const look = (): Promise<void> => page.evaluate(() => (window as unknown as Watching).look());
      for (let turn = 0; ; turn++) {
        await look();
        if (game === 'travel' && turn < 3) {
          await page.locator('.rack button:enabled').first().click();
          await page.locator('[data-cell=a1]').click();
          await page.locator('.refusal').waitFor();
          await look();
          await putBack(page);
        }
        await touch(page, game);
        await look();
        await putBack(page);
        if (!(await goOn(page, game, turn < 3 ? 0 : 6))) break;
      }
      await look();
      expect(await page.evaluate(() => (window as unknown as Watching).moved.slice(0, 8))).toEqual([]);
    },
  );
});
