/** Shared by all screenshots: sizes, states and capture. */
import { mkdirSync, writeFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { playFast, myTurn, type Game } from '../tests/table-driver';

export const SIZES: [number, number][] = [
  [1366, 650],
  [1280, 720],
  [1920, 950],
  [1024, 768],
  [390, 664],
  [360, 640],
  [844, 390],
];
export const TABLES: [Game, number][] = [
  ['travel', 2],
  ['cards', 2],
  ['cards', 3],
  ['cards', 4],
  ['dice', 2],
  ['dice', 3],
  ['dice', 4],
];
export const THEMES = ['light', 'dark'] as const;

/** The same moment in every size and both colour schemes. */
export async function everySize(page: Page, folder: string, state: string): Promise<void> {
  mkdirSync(folder, { recursive: true });
  // Colours change at once, and pieces lie where they will lie.
  await page.addStyleTag({ content: '*, *::before, *::after { transition: none !important }' });
  for (const [width, height] of SIZES) {
    await page.setViewportSize({ width, height });
    for (const theme of THEMES) {
      await page.evaluate((value) => (document.documentElement.dataset.theme = value), theme);
      await page.waitForTimeout(50);
      await page.screenshot({ path: `${folder}/${width}x${height}-${state}-${theme}.png` });
    }
  }
}

/** Make a number of greedy decisions in this page. */
export async function playOn(page: Page, decisions: number): Promise<boolean> {
  let left = decisions;
  const pieces = (legal: string[]): boolean => legal.some((move) => /^(place|play|score)/.test(move));
  const playing = await playFast(page, ({ views }) => pieces(views[0]!.legal) && left-- <= 0);
  return playing && myTurn(page);
}

/** Something in hand, where it brings most. */
export async function selectPiece(page: Page, game: Game): Promise<void> {
  if (game === 'dice') {
    const group = page.locator('.faces:enabled').first();
    if (await group.count()) await group.click();
    return;
  }
  await page.locator('.rack button:enabled, .fan button:enabled').first().click();
  if (game !== 'travel') return;
  const cells = page.locator('.cell.target');
  let best = [0, -1] as [number, number];
  for (let at = 0; at < (await cells.count()); at += 3) {
    await cells.nth(at).click();
    const points = await page.locator('.points').allTextContents();
    const total = points.map(Number).reduce((sum, n) => sum + n, 0);
    if (total > best[1]) best = [at, total];
    await page.keyboard.press('Escape');
  }
  await cells.nth(best[0]).click();
}

/** A picture for a page of documentation: small, as WebP. */
export async function saveWebp(page: Page, file: string): Promise<number> {
  const png = (await page.screenshot()).toString('base64');
  const webp = await page.evaluate(async (data) => {
    const bytes = Uint8Array.from(atob(data), (letter) => letter.charCodeAt(0));
    const image = await createImageBitmap(new Blob([bytes], { type: 'image/png' }));
    const canvas = new OffscreenCanvas(image.width, image.height);
    canvas.getContext('2d')!.drawImage(image, 0, 0);
    const blob = await canvas.convertToBlob({ type: 'image/webp', quality: 0.78 });
    return [...new Uint8Array(await blob.arrayBuffer())];
  }, png);
  writeFileSync(file, Uint8Array.from(webp));
  return webp.length;
}
