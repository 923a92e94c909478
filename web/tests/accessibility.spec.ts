import { mkdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { againstComputer, article, base, myTurn, open, PHONE, visitor } from './table-driver';
import { walk } from './walkthrough';

/** For a person to look at: pictures, and each size in each language and in both colours. */
const EVERY = Boolean(process.env.EVERY);
const SHOTS = '../screenshots';
mkdirSync(SHOTS, { recursive: true });
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

interface Tour {
  size: 'phone' | 'desktop';
  colours: 'light' | 'dark';
  locale: string;
}
// Every language, size and colour once, so that each page is seen in all of them.
const TOURS: Tour[] = [
  { size: 'phone', colours: 'light', locale: 'en' },
  { size: 'phone', colours: 'dark', locale: 'de' },
  { size: 'desktop', colours: 'dark', locale: 'nl' },
];

interface Violation {
  id: string;
  nodes: { html: string; failureSummary: string }[];
}

async function violations(page: Page): Promise<string[]> {
  await page.evaluate(AXE);
  const found = await page.evaluate(async () => {
    interface Axe {
      run(options: { resultTypes: string[] }): Promise<{ violations: unknown[] }>;
    }
    // What is well need not be told in full.
    const { axe } = window as unknown as { axe: Axe };
    return (await axe.run({ resultTypes: ['violations'] })).violations;
  });
  return (found as Violation[]).map(
    ({ id, nodes }) => `${id}: ${nodes[0]!.html} ${nodes[0]!.failureSummary}`,
  );
}

/** Everything that reaches beyond the page, and every text that does not fit its box. */
const overflowing = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    // What is cut off with an ellipsis is meant to be.
    const cut = (element: Element | null): boolean =>
      element !== null &&
      (getComputedStyle(element).textOverflow === 'ellipsis' || cut(element.parentElement));
    const wide = [...document.body.querySelectorAll<HTMLElement>('*:not(svg *)')].filter((element) => {
      if (element.closest('.hidden, [hidden]') || !element.getClientRects().length) return false;
      const style = getComputedStyle(element);
      const { left, right } = element.getBoundingClientRect();
      const beyond = right > innerWidth + 1 || left < -1;
      const clipped = element.scrollWidth > element.clientWidth + 1 && style.display !== 'inline';
      return (beyond || clipped) && !cut(element) && !element.matches('html, body, input, select');
    });
    return wide.map(
      (element) => `${element.tagName}.${element.className}: ${element.textContent?.slice(0, 40)}`,
    );
  });

async function look(page: Page, name: string): Promise<void> {
  await page.waitForLoadState('networkidle');
  if (EVERY) await page.screenshot({ path: `${SHOTS}/${name}.png`, fullPage: true });
  expect(await overflowing(page), name).toEqual([]);
  expect(await violations(page), name).toEqual([]);
}

describe('everyone', () => {
  const all = ['phone', 'desktop'].flatMap((size) =>
    ['light', 'dark'].flatMap((colours) =>
      ['en', 'de', 'nl'].map((locale) => ({ size, colours, locale }) as Tour),
    ),
  );
  it.each(EVERY ? all : TOURS)('every page fits and is open to all: %o', async (tour) => {
    const { size, colours, locale } = tour;
    const screen = size === 'phone' ? PHONE : { viewport: { width: 1280, height: 800 } };
    const page = await open(await visitor({ ...screen, locale, colorScheme: colours }));
    await walk(page, (name) => look(page, `${name}-${size}-${colours}-${locale}`));
  });

  it('reads the browser’s language, switches, and remembers', async () => {
    const context = await visitor({ locale: 'nl-NL' });
    const page = await open(context);
    await page.getByRole('heading', { name: 'Alleen je zwakste symbool telt' }).waitFor();
    await page.getByLabel('Taal').selectOption('de');
    await page.getByRole('heading', { name: 'Nur dein schwächstes Symbol zählt' }).waitFor();
    await expect.poll(() => page.locator('html').getAttribute('lang')).toBe('de');
    await page.reload();
    await page.getByRole('heading', { name: 'Nur dein schwächstes Symbol zählt' }).waitFor();
    // Refusals come in the same language.
    await againstComputer(page, 'travel');
    await myTurn(page);
    await page.locator('.rack button:enabled').first().click();
    await page.locator('[data-cell=f6]').click();
    await expect.poll(() => page.locator('.refusal').innerText()).toMatch(/Ecke|Runde/);
  });

  it('switches between light and dark, and remembers', async () => {
    const page = await open(await visitor({ colorScheme: 'light' }));
    await page.getByRole('button', { name: 'Dark colours' }).click();
    await page.reload();
    await expect.poll(() => page.locator('html').getAttribute('data-theme')).toBe('dark');
  });

  it('plays with the keyboard alone', async () => {
    const page = await open(await visitor());
    await page.locator(`${article('travel')} .wide:enabled`).waitFor();
    const tabTo = async (selector: string): Promise<void> => {
      for (let tabs = 0; tabs < 120; tabs++) {
        await page.keyboard.press('Tab');
        if (await page.evaluate((one) => document.activeElement?.matches(one), selector)) return;
      }
      expect.fail(`${selector} cannot be reached by Tab`);
    };
    await tabTo(`${article('travel')} .wide`);
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/table\//);
    await myTurn(page);
    await page.keyboard.press('1');
    await tabTo('.cell');
    // From the middle to a cell that fits; the second player must touch another corner than the first.
    for (const keys of [['ArrowLeft'], ['ArrowUp'], ['ArrowRight'], ['ArrowDown']]) {
      for (let step = 0; step < 9; step++) {
        if (await page.evaluate(() => document.activeElement?.matches('.target'))) break;
        await page.keyboard.press(keys[0]!);
      }
    }
    expect(await page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toMatch(
      /would score|fits/,
    );
    await page.keyboard.press('Enter');
    await page.keyboard.press('r');
    const before = await page.locator('.table').getAttribute('data-version');
    await page.getByRole('button', { name: 'Place' }).waitFor();
    await tabTo('.act .button.main');
    await page.keyboard.press('Enter');
    await page.locator(`.table:not([data-version="${before}"])`).waitFor();
    await expect.poll(() => page.getByRole('log').innerText()).toContain('You lay');

    for (const [game, told] of [
      ['dice', /You score/],
      ['cards', /You play/],
    ] as const) {
      await page.goto(base);
      await page.locator(`${article(game)} .wide:enabled`).waitFor();
      await tabTo(`${article(game)} .wide`);
      await page.keyboard.press('Enter');
      await page.waitForURL(/\/table\//);
      await myTurn(page);
      if (game === 'cards') await page.keyboard.press('1');
      await tabTo('.act .button.main');
      await page.keyboard.press('Enter');
      await page.getByRole('log').getByText(told).first().waitFor();
    }
  });

  it('installs as an app, and loads little', async () => {
    const page = await (await visitor()).newPage();
    const sizes: Promise<number>[] = [];
    page.on('requestfinished', (request) => {
      if (new URL(request.url()).origin !== base) throw new Error(`loaded from elsewhere: ${request.url()}`);
      sizes.push(request.sizes().then(({ responseBodySize }) => responseBodySize));
    });
    await page.goto(base);
    await page.locator(`${article('travel')} .wide:enabled`).waitFor();
    await page.waitForLoadState('networkidle');
    const total = (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
    console.info(`first load: ${sizes.length} files, ${total} bytes compressed`);
    expect(total).toBeGreaterThan(20_000);
    expect(total).toBeLessThan(150_000);
    const manifest = (await (await page.request.get(`${base}/manifest.webmanifest`)).json()) as {
      icons: { src: string }[];
    };
    for (const { src } of manifest.icons) expect((await page.request.get(`${base}/${src}`)).ok()).toBe(true);
    const controlled = page.evaluate(() =>
      navigator.serviceWorker.ready.then(({ active }) => active !== null),
    );
    expect(await controlled).toBe(true);
  });
});
