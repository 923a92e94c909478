/** What the browser tests share: a browser, pages, and a player that plays by clicking. */
import {
  chromium,
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  type Page,
} from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect, inject } from 'vitest';

export const base = inject('base');
export type Game = 'dice' | 'cards' | 'travel';
export const PHONE = { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true };

// Playwright's own list, which a second one replaces, and the pages of its own that Chromium opens behind every window
// for its address bar: they take as long as ours.
const DISABLED_FEATURES = [
  'AvoidCorsURLLoaderRestartOnRedirect',
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsFirstBalancedModeAutoEnable',
  'HttpsUpgrades',
  'NetworkTimeServiceQuerying',
  'OptimizationHints',
  'PaintHolding',
  'PreconnectToSearch',
  'ThirdPartyStoragePartitioning',
  'AimEnabled',
  'WebUIOmniboxAimPopup',
  'WebUIOmniboxFullPopup',
  'WebUIOmniboxPopup',
];

let browser: Browser;
/** The browser contexts of the current test; those opened before the first test stay open. */
let visitors: BrowserContext[] = [];

beforeAll(async () => {
  browser = await chromium.launch({
    executablePath: inject('chromium'),
    args: ['--no-sandbox', '--disable-gpu', `--disable-features=${DISABLED_FEATURES.join()}`],
  });
});

beforeEach(() => {
  visitors = [];
});

afterEach(async () => {
  await Promise.all(visitors.map((context) => context.close()));
});

afterAll(async () => {
  await browser.close();
});

/** A new browser context, by default in English and without pauses for bots' moves. */
export async function visitor(options: BrowserContextOptions = {}, pace = 0): Promise<BrowserContext> {
  const context = await browser.newContext({ locale: 'en', reducedMotion: 'reduce', ...options });
  await context.addInitScript((ms) => localStorage.setItem('sixfold.pace', String(ms)), pace);
  // The first move of a bot waits until the bot is compiled.
  context.setDefaultTimeout(60_000);
  visitors.push(context);
  return context;
}

/** A page that must not report any error. */
export async function open(context: BrowserContext, path = '/', server = base): Promise<Page> {
  const page = await context.newPage();
  page.on('pageerror', (error) => {
    throw new Error(`the page failed: ${error.message}`);
  });
  page.on('console', (message) => {
    if (message.text().includes('Content Security Policy')) throw new Error(message.text());
  });
  await page.goto(server + path);
  return page;
}

export const article = (game: Game): string => `article[aria-labelledby=game-${game}]`;

/** From the start page to a table against the computer: one click. */
export async function againstComputer(page: Page, game: Game): Promise<void> {
  await page.locator(`${article(game)} .wide:enabled`).click();
  await page.waitForURL(/\/table\//);
  await page.locator('.status').waitFor();
}

/** Make one decision in any game for the active seat of this page. */
export async function decide(page: Page, game: Game): Promise<void> {
  const choice = page.locator('.act .button.main:enabled');
  const piece = page.locator('.rack button:enabled, .fan button:enabled');
  // While the last action is not answered yet, nothing can be chosen.
  await choice.or(piece).first().waitFor();
  if (!(await choice.count())) await piece.first().click();
  if (game === 'travel' && !(await choice.count())) await page.locator('.cell.target').first().click();
  await choice.first().click();
}

/** Make one decision, and wait until it shows. */
export async function decideAndSee(page: Page, game: Game): Promise<void> {
  const before = await page.locator('.table').getAttribute('data-version');
  await decide(page, game);
  await page.locator(`.table:not([data-version="${before}"]), .result, .curtain`).first().waitFor();
}

/** Wait until it is this page's turn, or the round is over; true while playing goes on. */
export async function myTurn(page: Page): Promise<boolean> {
  const signal = page.locator('.status.mine, .result, .curtain').first();
  await signal.waitFor();
  return !(await page.locator('.result').count());
}

export interface TableSnapshot {
  version: number;
  views: {
    seat: number;
    turn: number | null;
    stage: string;
    legal: string[];
    previews: number[][];
    last?: { bot?: boolean } | null;
    position?: { board: string[]; placed: number };
  }[];
}

export const tableId = (page: Page): string => /table\/([\w-]+)/.exec(page.url())![1]!;

/** The page's scripting interface, which includes the tables of this device. */
declare const sixfold: {
  makeTable: (table: object) => Promise<{ id: string }>;
  inspect: (table: string) => Promise<{ views: (TableSnapshot['views'][number] & { version: number })[] }>;
  act: (table: string, action: object) => Promise<unknown>;
};

/** The table as this page may see it. */
export async function tableSnapshot(page: Page): Promise<TableSnapshot> {
  await page.waitForFunction(() => 'sixfold' in globalThis);
  const { views } = await page.evaluate((table) => sixfold.inspect(table), tableId(page));
  return { views, version: views[0]!.version };
}

/** A table on this device, begun without the form. */
export const createLocalTable = (page: Page, table: object): Promise<string> =>
  page.evaluate(async (request) => {
    const { id } = await sixfold.makeTable(request);
    await sixfold.act(id, { do: 'start' });
    return id;
  }, table);

/** Do something at the table of this page, without clicking. */
export const act = (page: Page, action: object): Promise<unknown> =>
  page.evaluate(([table, request]) => sixfold.act(table, request), [tableId(page), action] as const);

/** A table on this device, made without the form, and gone to. */
export async function createTable(page: Page, table: object): Promise<void> {
  const post = async (path: string, data: object): Promise<{ id: string }> =>
    (await page.request.post(base + path, { data })).json() as Promise<{ id: string }>;
  await post('/api/guest', { name: 'Guest' });
  const seats = [
    { kind: 'me', name: 'Anne' },
    { kind: 'me', name: 'Carl' },
  ];
  const { id } = await post('/api/tables', { players: 2, rounds: 1, takeover: null, seats, ...table });
  await post(`/api/tables/${id}/actions`, { do: 'start' });
  await page.goto(`${base}/table/${id}`);
}

/** A table against bots, made without the form, and gone to; this page begins. */
export async function againstBots(
  page: Page,
  game: Game,
  players: number,
  { level = 'level1', rounds = 1 } = {},
): Promise<void> {
  const bots = Array.from({ length: players - 1 }, () => ({ kind: 'bot', level }));
  await createTable(page, {
    game,
    players,
    rounds,
    first: 0,
    seats: [{ kind: 'me', name: 'Anne' }, ...bots],
  });
  await page.locator('.status.mine').waitFor();
  await page.evaluate(() => document.fonts.ready);
}

/** A move of the seat in turn. */
export async function send(page: Page, move: string): Promise<void> {
  const { views, version } = await tableSnapshot(page);
  const { seat } = views.find((context) => context.turn === context.seat)!;
  await act(page, { do: 'move', move, seat, version });
}

/** Let the seats of this page make so many decisions without clicking, as well as previews tell; then what there is when
 *  one of them is in turn again, or the round is over. */
export async function playOn(page: Page, decisions: number): Promise<TableSnapshot> {
  await page.waitForFunction(() => 'sixfold' in globalThis);
  const views = await page.evaluate(
    async ([table, max]) => {
      const gain = (row: number[]): number => row.slice(0, 6).reduce((sum, n) => sum + n, 0);
      for (let decided = 0; ;) {
        const { views } = await sixfold.inspect(table);
        const view = views.find((context) => context.turn === context.seat) ?? views[0]!;
        const { seat, version, legal, previews } = view;
        if (view.stage !== 'playing' || (legal.length && decided === max)) return views;
        if (!legal.length) {
          await new Promise((done) => setTimeout(done, 25)); // a bot thinks
          continue;
        }
        const best = previews.reduce((to, row, at) => (gain(row) > gain(previews[to]!) ? at : to), 0);
        await sixfold.act(table, { do: 'move', move: legal[best], seat, version });
        decided++;
      }
    },
    [tableId(page), decisions] as const,
  );
  return { views, version: views[0]!.version };
}

/** Play the seats of this page without clicking until the page shows what is waited for (true) or the round's result
 *  (false). */
export async function playFast(page: Page, until?: (table: TableSnapshot) => boolean): Promise<boolean> {
  const maxDecisions = 400;
  for (let decisions = 0; decisions <= maxDecisions; decisions++) {
    const table = await playOn(page, until ? Math.min(decisions, 1) : maxDecisions);
    if (table.views[0]!.stage !== 'playing') {
      await page.locator('.result').waitFor();
      return false;
    }
    if (until?.(table)) {
      await page.locator(`.table[data-version="${table.version}"]`).waitFor();
      return true;
    }
    if (!until) break;
  }
  expect.fail('the round did not end');
}

/** Play a round to its end. */
export async function playOut(page: Page, game: Game, maxDecisions = 400): Promise<void> {
  for (let decisions = 0; decisions < maxDecisions; decisions++) {
    if (!(await myTurn(page))) return;
    const curtain = page.locator('.curtain button');
    if (await curtain.count()) await curtain.click();
    await decideAndSee(page, game);
  }
  expect.fail('the round did not end');
}
