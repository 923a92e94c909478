/** Sentences in the language of the reader: from the browser, switchable, remembered. */
import type en from '../languages/en.json';
import { LETTERS, isLetter, type Letter } from './symbols';
import { kept, keep } from './settings.svelte';

export const LANGUAGES = { en: 'English', de: 'Deutsch', nl: 'Nederlands' } as const;
export type Language = keyof typeof LANGUAGES;
export type Key = keyof typeof en;
type Sentences = Record<Key, string>;

const load: Record<Language, () => Promise<{ default: Sentences }>> = {
  en: () => import('../languages/en.json'),
  de: () => import('../languages/de.json'),
  nl: () => import('../languages/nl.json'),
};

const isLanguage = (text: string): text is Language => text in LANGUAGES;

export function preferred(wanted: readonly string[]): Language {
  return wanted.map((tag) => tag.slice(0, 2).toLowerCase()).find(isLanguage) ?? 'en';
}

let current = $state<Language>('en');
let sentences = $state.raw<Partial<Sentences>>({});

export async function choose(language: Language): Promise<void> {
  sentences = (await load[language]()).default;
  current = language;
  document.documentElement.lang = language;
}

/** Before the first page is drawn. */
export async function begin(): Promise<void> {
  const remembered = kept('language') ?? '';
  await choose(isLanguage(remembered) ? remembered : preferred(navigator.languages));
}

export async function switchTo(language: Language): Promise<void> {
  keep('language', language);
  await choose(language);
}

export const language = (): Language => current;

export type Words = Record<string, string | number>;

/** Fill a sentence; "one | many" chooses by the word n. */
export function fill(sentence: string, words: Words): string {
  const [one, many] = sentence.split(' | ');
  const form = many !== undefined && Number(words.n) !== 1 ? many : one!;
  return form.replace(/\{(\w+)\}/g, (whole, name: string) => String(words[name] ?? whole));
}

/** A game or an option that this page has no words for is called by its own name. */
export function say(key: Key, words: Words = {}): string {
  return fill(sentences[key] ?? key.replace(/^(game|option)_/, ''), words);
}

/** A sentence about somebody; to the reader it is said in its own form, where there is one. */
export function sayOf(key: Key, name: string, you: boolean, words: Words = {}): string {
  const spoken = `${key}_you`;
  return say(you && knows(spoken) ? spoken : key, { name, ...words });
}

export const knows = (key: string): key is Key => key in sentences;

export const symbolName = (letter: Letter): string => say(`symbol_${letter}` as Key);
/** "RG" as "red-green". */
export const pairName = (item: string): string => [...item].filter(isLetter).map(symbolName).join('-');

export const levelName = (level: string): string => {
  const key = `level_${level}`;
  return knows(key) ? say(key) : level;
};

/** As the beginning of a sentence. */
export const capital = (text: string): string => text.charAt(0).toLocaleUpperCase(current) + text.slice(1);

/** "Anne, Carl and Mira". */
export const listed = (names: string[]): string => new Intl.ListFormat(current).format(names);

/** "red +2, green +1": what six numbers say, largest first where it matters not. */
export function gains(numbers: readonly number[]): string {
  return LETTERS.map((letter, at) => ({ letter, n: numbers[at] ?? 0 }))
    .filter(({ n }) => n !== 0)
    .map(({ letter, n }) => say('gain', { symbol: symbolName(letter), points: n }))
    .join(', ');
}
