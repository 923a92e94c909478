/** The result of a daily puzzle as a text to send: which try, and nothing about the answer. */
import { language, say, type Key } from '../lib/language.svelte';
import { absoluteUrl } from '../lib/router.svelte';
import { ofDay, shapes, streak } from './daily';

const DAY = 86_400_000;

export function resultText(day: number, tries: number): string {
  const puzzle = ofDay(day);
  const date = new Date(day * DAY).toLocaleDateString(language(), { dateStyle: 'medium', timeZone: 'UTC' });
  const days = streak(day);
  return [
    `Sixfold · ${say('puzzle_daily')} · ${date} · ${say(`game_${puzzle.game}` as Key)}`,
    shapes(tries) + (tries ? ` ${say('puzzle_tries', { n: tries })}` : ''),
    ...(days > 1 ? [say('puzzle_streak', { n: days })] : []),
    absoluteUrl(`/puzzles/${puzzle.game}/${puzzle.number}`),
  ].join('\n');
}

/** Share a text through the device's share dialog, or copy it; true if it was copied. */
export async function share(text: string): Promise<boolean> {
  if (typeof navigator.share === 'function') {
    await navigator.share({ text }).catch((error: unknown) => {
      if (!(error instanceof DOMException)) throw error; // closed without choosing
    });
    return false;
  }
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    const field = document.createElement('textarea'); // no clipboard without https
    field.value = text;
    document.body.append(field);
    field.select();
    document.execCommand('copy');
    field.remove();
  }
  return true;
}
