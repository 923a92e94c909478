/** Tables without a server: the site with the network off, and nothing lost. */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import type { Server } from 'node:http';
import { resolve } from 'node:path';
import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  act,
  article,
  decide,
  decideAndSee,
  playFast,
  createLocalTable,
  myTurn,
  playOut,
  tableSnapshot,
  visitor,
  type Game,
  type TableSnapshot,
} from './table-driver';
import { serveSite, SITE } from './site';

const python = process.env.PYTHON ?? resolve('../.venv/bin/python');

function checked(module: string[], input: string): string {
  const done = spawnSync(python, module, { cwd: '..', input, encoding: 'utf8', maxBuffer: 1 << 28 });
  expect(done.stderr).toBe('');
  return done.stdout;
}

// `make site` builds it.
describe.skipIf(!existsSync(SITE))('the site with the network off', () => {
  let base: string;
  let server: Server;
  let context: BrowserContext;

  beforeAll(async () => {
    ({ base, server } = await serveSite());
    context = await visitor();
    context.setDefaultTimeout(15_000);
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    const page = await open('');
    // One visit is enough: everything is kept before the worker is ready.
    await page.evaluate(() => navigator.serviceWorker.ready.then(() => true));
    await page.close();
    await context.setOffline(true);
  });
  afterAll(() => server.close());

  async function open(path: string): Promise<Page> {
    const page = await context.newPage();
    page.on('pageerror', (error) => {
      throw new Error(`the page failed: ${error.message}`);
    });
    await page.goto(base + path);
    return page;
  }

  async function against(page: Page, game: Game, level: string): Promise<void> {
    await page.goto(base);
    await page.getByRole('radio', { name: level }).check();
    await page.locator(`${article(game)} .wide:enabled`).click();
    await myTurn(page);
  }

  it.each(['dice', 'cards', 'travel'] as Game[])(
    'a whole game of %s is played, and its record holds',
    async (game) => {
      const page = await open('');
      await against(page, game, 'Beginner');
      await decideAndSee(page, game);
      // Everything but the last decisions without clicking, or it would take long.
      let left = 60;
      const goesOn = await playFast(page, ({ views }) => views[0]!.legal.length > 0 && --left <= 0);
      if (goesOn) await playOut(page, game);
      const result = page.locator('.result');
      await expect.poll(() => result.locator('.title').innerText()).toMatch(/win/i);
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        result.getByRole('button', { name: 'Record' }).click(),
      ]);
      expect(checked(['-m', 'sixfold', 'check', await download.path()], '')).toContain(
        'in 1 of them every draw and roll follows from the key',
      );
      await result.getByRole('link', { name: 'Replay' }).click();
      await page.getByLabel('To the end').click();
      await expect.poll(() => page.locator('.proof code').nth(1).innerText()).toMatch(/^[0-9a-f]{64}$/);
      await page.close();
    },
  );

  it('every level of every game answers', async () => {
    const page = await open('');
    const tables: [Game, ...number[]][] = [
      ['dice', 1, 2, 3],
      ['dice', 4, 5],
      ['dice', 5], // the solved game for two
      ['cards', 1, 2, 3],
      ['cards', 4, 5],
      ...[1, 2, 3, 4, 5].map((level): [Game, number] => ['travel', level]),
    ];
    for (const [game, ...levels] of tables) {
      const bots = levels.map((level) => ({ kind: 'bot', level: `level${level}` }));
      const players = bots.length + 1;
      const seats = [{ kind: 'me' }, ...bots];
      const id = await createLocalTable(page, { game, players, rounds: 1, first: 0, seats });
      await page.goto(`${base}#/table/${id}`);
      await myTurn(page);
      const answered = ({ last }: TableSnapshot['views'][number]): boolean => last?.bot === true;
      do await decideAndSee(page, game);
      while ((await myTurn(page)) && !answered((await tableSnapshot(page)).views[0]!));
      expect(await page.locator('.status').innerText(), `${game} ${levels.join()}`).toContain('Your turn');
    }
    await page.close();
  });

  it('says once that a simpler bot plays where the right one cannot be loaded', async () => {
    const other = await visitor({ serviceWorkers: 'block' });
    await other.route('**/*.data', (route) => route.abort());
    const page = await other.newPage();
    await against(page, 'cards', 'Master');
    await decideAndSee(page, 'cards');
    const line = page.locator('.hint', { hasText: 'A simpler bot plays' });
    await line.waitFor();
    await line.locator('..').getByRole('button', { name: 'Close' }).click();
    await myTurn(page);
    await decideAndSee(page, 'cards');
    await myTurn(page);
    expect(await line.count()).toBe(0);
    await other.close();
  });

  it('people pass the device on behind a curtain, and nobody hears of a choice', async () => {
    const page = await open('#/new/cards/here');
    await page.getByLabel('Player 1').fill('Anne');
    await page.getByLabel('Player 2').first().fill('Carl');
    await page.getByRole('button', { name: 'Start' }).click();
    for (let turn = 0; turn < 4; turn++) {
      await page.locator('.curtain').waitFor();
      expect(await page.locator('.fan').count()).toBe(0);
      const { views } = await tableSnapshot(page);
      const hidden = views.filter((view) => view.turn !== view.seat);
      expect(hidden.map(({ legal }) => legal)).toEqual([[]]);
      await page.locator('.curtain').getByRole('button').click();
      await expect.poll(() => page.locator('.fan button').count()).toBe(6);
      await decideAndSee(page, 'cards');
      const over = page.getByRole('button', { name: 'Hand over' });
      const renew = page.getByRole('button', { name: 'New cards' });
      await over.or(renew).first().waitFor();
      if (await renew.count()) await decide(page, 'cards');
      await over.click();
    }
    await page.close();
  });

  it('nothing is lost when the tab is killed, and the bot goes on with its move', async () => {
    let page = await open('');
    await against(page, 'travel', 'Master');
    await decideAndSee(page, 'travel');
    await myTurn(page);
    await decideAndSee(page, 'travel');
    const before = await tableSnapshot(page);
    const address = page.url();
    const session = await context.newCDPSession(page);
    void session.send('Page.crash').catch(() => undefined);
    await page.waitForEvent('crash');

    page = await context.newPage();
    await page.goto(`${base}#/games`);
    await page.locator(`.going[href$="${address.split('/').at(-1)}"]`).click();
    expect(page.url()).toBe(address);
    await myTurn(page);
    const after = await tableSnapshot(page);
    expect(after.version).toBeGreaterThanOrEqual(before.version);
    const [was, is] = [before, after].map(({ views }) => views[0]!.position!);
    // What lay on the board lies there still, and the tile that the bot was thinking about.
    expect(is!.placed).toBe(was!.placed + Number(before.views[0]!.turn !== before.views[0]!.seat));
    was!.board.forEach((row, at) => expect(is!.board[at]).toMatch(new RegExp(`^${row}$`)));
    await page.close();
  });

  it('a hint says why, and a move is taken back', async () => {
    const page = await open('');
    await against(page, 'dice', 'Casual');
    await page.getByRole('button', { name: 'Hint' }).click();
    await expect.poll(() => page.locator('.hint').innerText()).toMatch(/^(Score|Roll again).*: /);
    const { version } = await tableSnapshot(page);
    await page.locator('.act').getByRole('button', { name: 'Score' }).click();
    await page.locator(`.table:not([data-version="${version}"])`).waitFor();
    await myTurn(page);
    await page.getByRole('button', { name: 'Take back' }).click();
    await page.getByRole('log').getByText('You take your last move back').waitFor();
    await page.close();
  });

  it('inviting says that it needs a server; lessons and rules are there', async () => {
    const page = await open('#/new/dice');
    await expect.poll(() => page.getByRole('alert').innerText()).toContain('needs a server');
    await page.goto(`${base}#/learn/travel`);
    await page.locator('.coach').waitFor();
    await page.goto(`${base}#/rules/cards#C13`);
    await page.locator('#C13.meant').waitFor();
    await page.close();
  });

  it('the ten lines of docs/tinkering.md play a game', async () => {
    const [, code = ''] = /```js\n([^`]*)```/.exec(readFileSync('../docs/tinkering.md', 'utf8'))!;
    expect(code.trim().split('\n').length).toBeLessThanOrEqual(10);
    const page = await open('');
    const [message] = await Promise.all([
      page.waitForEvent('console', (one) => one.type() === 'log'),
      page.addScriptTag({ type: 'module', content: code }),
    ]);
    expect(message.text()).toMatch(/^[0-7](,[0-7]){5} \| [0-7](,[0-7]){5}$/);
    await page.close();
  });

  it('a position is shared by link, looked at and played on', async () => {
    const page = await open('');
    await against(page, 'travel', 'Beginner');
    await page.getByRole('button', { name: 'Position' }).click();
    const ours = await tableSnapshot(page);
    const link = await page.getByRole('dialog').getByRole('textbox').inputValue();
    const other = await context.newPage();
    await other.goto(link);
    await other.getByRole('heading', { name: /^Position/ }).waitFor();
    await other.getByRole('button', { name: 'Play on from here' }).click();
    await myTurn(other);
    expect((await tableSnapshot(other)).views[0]!.position!.board).toEqual(ours.views[0]!.position!.board);
    await decideAndSee(other, 'travel');

    // As docs/tinkering.md says that any program can make one.
    const [, code = ''] = /```python\n([^`]*)```/.exec(readFileSync('../docs/tinkering.md', 'utf8'))!;
    const made = `${code}\nimport sys\nprint(link(json.load(sys.stdin)))`;
    await other.goto(base + checked(['-c', made], JSON.stringify(ours.views[0]!.position)).trim());
    await other.getByRole('heading', { name: /^Position/ }).waitFor();

    await other.goto(`${base}#position=nonsense`);
    await expect.poll(() => other.getByRole('alert').innerText()).toContain('does not hold a position');
    await other.close();
    await page.close();
  });

  it('a replay is shared as a record, and played on from any step', async () => {
    const page = await open('');
    await against(page, 'dice', 'Beginner');
    let decisions = 4;
    await playFast(page, ({ views }) => views[0]!.legal.length > 0 && --decisions < 0);
    await act(page, { do: 'resign' });
    await page.getByRole('link', { name: 'Replay' }).click();
    for (let step = 0; step < 5; step++) await page.getByLabel('Next', { exact: true }).click();
    await page.getByRole('button', { name: 'Share link' }).click();
    await page.getByRole('button', { name: 'Copied' }).waitFor();
    await page.goto(await page.evaluate(() => navigator.clipboard.readText()));
    await expect.poll(() => page.locator('.count').innerText()).toBe('5 / 5');
    await page.getByRole('button', { name: 'Play on, on this device' }).click();
    await page.locator('.status').waitFor();
    await decideAndSee(page, 'dice');
    await act(page, { do: 'resign' });
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Record' }).click(),
    ]);
    expect(checked(['-m', 'sixfold', 'check', await download.path()], '')).toContain('1 of 1 record holds');
    await page.close();
  });

  it('a clock runs down, and the games of this device are listed, exported and deleted', async () => {
    const page = await open('');
    const seats = [
      { kind: 'me', name: 'Anne' },
      { kind: 'bot', level: 'level1' },
    ];
    const id = await createLocalTable(page, {
      game: 'dice',
      players: 2,
      first: 0,
      clock: 'game',
      seconds: 1,
      seats,
    });
    await page.goto(`${base}#/table/${id}`);
    await page.locator('.result').getByText('time').first().waitFor();

    await page.goto(`${base}#/games`);
    await page.locator('.list .panel').first().waitFor();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Export' }).click(),
    ]);
    const kept = JSON.parse(readFileSync(await download.path(), 'utf8')) as {
      local: { id: string; events: { type: string }[] }[];
    };
    const events = kept.local.find((table) => table.id === id)!.events.map(({ type }) => type);
    expect(events).toEqual(['make', 'start', 'time']);
    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.reload();
    expect(await page.locator('.list .panel, .going').count()).toBe(0);
    await page.goto(`${base}#/table/${id}`);
    await page.getByText('there is no such table').waitFor();
    await page.close();
  });
});
