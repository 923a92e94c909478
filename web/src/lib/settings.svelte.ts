/** What this browser remembers: nothing about it leaves the device. */

const PREFIX = 'sixfold.';

export function readSetting(name: string): string | null {
  try {
    return localStorage.getItem(PREFIX + name);
  } catch {
    return null; // storage is switched off; everything works, nothing is remembered
  }
}

export function writeSetting(name: string, value: string | null): void {
  try {
    if (value === null) localStorage.removeItem(PREFIX + name);
    else localStorage.setItem(PREFIX + name, value);
  } catch (error) {
    console.info('not remembered', error);
  }
}

/** A list that is remembered as JSON; nothing where it is damaged. */
export function readList<T>(name: string): T[] {
  try {
    const parsed: unknown = JSON.parse(readSetting(name) ?? '[]');
    return Array.isArray(parsed) ? (parsed as T[]) : [];
  } catch {
    return [];
  }
}

export type Theme = 'light' | 'dark';
const systemDark = matchMedia('(prefers-color-scheme: dark)');
const storedTheme = readSetting('theme');
let theme = $state<Theme>(
  storedTheme === 'light' || storedTheme === 'dark' ? storedTheme : systemDark.matches ? 'dark' : 'light',
);

export const currentTheme = (): Theme => theme;

export function applyTheme(): void {
  document.documentElement.dataset.theme = theme;
  const color = theme === 'dark' ? '#18302e' : '#c9d6cb';
  document.querySelector('meta[name=theme-color]')?.setAttribute('content', color);
}

export function switchTheme(): void {
  theme = theme === 'dark' ? 'light' : 'dark';
  writeSetting('theme', theme);
  applyTheme();
}

let sound = $state(readSetting('sound') === 'on');
export const soundOn = (): boolean => sound;
export function switchSound(): void {
  sound = !sound;
  writeSetting('sound', sound ? 'on' : null);
}

/** How long an opponent's move is shown, in milliseconds. */
export const PACES = { slow: 2600, normal: 1500, fast: 700, none: 0 } as const;
let moveDuration = $state(Number(readSetting('pace') ?? PACES.normal));
export const pace = (): number => moveDuration;
export function switchPace(ms: number): void {
  moveDuration = ms;
  writeSetting('pace', String(ms));
}

const reducedMotion = matchMedia('(prefers-reduced-motion: reduce)');
export const calm = (): boolean => reducedMotion.matches;

/** Whether to notify the player of a turn while the page is hidden. */
let notify = $state(readSetting('notify') === 'on');
export const notifyOn = (): boolean => notify;
export async function switchNotify(): Promise<void> {
  const enable = !notify && 'Notification' in window;
  notify = enable && (await Notification.requestPermission()) === 'granted';
  writeSetting('notify', notify ? 'on' : null);
}

/** The portrait under which this device sits down; '' leaves it to the server. */
let portrait = $state(readSetting('portrait') ?? '');
export const myPortrait = (): string => portrait;
export function choosePortrait(key: string): void {
  portrait = key;
  writeSetting('portrait', key || null);
}

/** The name under which this device sits down; '' where none was given. */
let name = $state(readSetting('name') ?? '');
export const myName = (): string => name;
export function chooseName(newName: string): void {
  name = newName.trim();
  writeSetting('name', name || null);
}

/** Tables on this device, the latest first. */
export interface Remembered {
  id: string;
  game: string;
  at: number;
}
const MOST_TABLES = 24;

export const rememberedTables = (): Remembered[] => readList<Remembered>('tables');

export function rememberTable(table: Remembered): void {
  const rest = rememberedTables().filter((entry) => entry.id !== table.id);
  writeSetting('tables', JSON.stringify([table, ...rest].slice(0, MOST_TABLES)));
}

export function forgetTable(id: string): void {
  writeSetting('tables', JSON.stringify(rememberedTables().filter((entry) => entry.id !== id)));
}
