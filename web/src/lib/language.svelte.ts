/** Sentences in the language of the reader: from the browser, switchable, remembered. */
import type en from '../languages/en.json';
import { LETTERS, isLetter, type Letter } from './symbols';
import { readSetting, writeSetting } from './settings.svelte';

export const LANGUAGES = { en: 'English', de: 'Deutsch', nl: 'Nederlands' } as const;
export type Language = keyof typeof LANGUAGES;
/** All sentences: the page's own, and those that each game adds to this interface. */
export interface Catalogue extends Common {}
type Common = typeof en;
export type Key = keyof Catalogue;

const FILES = import.meta.glob<Partial<Catalogue>>(['../languages/??.json', '../games/*/words.*.json'], {
  import: 'default',
});

const isLanguage = (text: string): text is Language => text in LANGUAGES;

export function preferred(tags: readonly string[]): Language {
  return tags.map((tag) => tag.slice(0, 2).toLowerCase()).find(isLanguage) ?? 'en';
}

let current = $state<Language>('en');
let sentences = $state.raw<Partial<Catalogue>>({});

export async function applyLanguage(language: Language): Promise<void> {
  const files = Object.entries(FILES).filter(([path]) => path.endsWith(`${language}.json`));
  sentences = Object.assign({}, ...(await Promise.all(files.map(([, load]) => load()))));
  current = language;
  document.documentElement.lang = language;
}

/** Before the first page is drawn. */
export async function initLanguage(): Promise<void> {
  const storedLanguage = readSetting('language') ?? '';
  await applyLanguage(isLanguage(storedLanguage) ? storedLanguage : preferred(navigator.languages));
}

export async function switchTo(language: Language): Promise<void> {
  writeSetting('language', language);
  await applyLanguage(language);
}

export const language = (): Language => current;

export type Words = Record<string, string | number>;

/** Fill a sentence; "one | many" chooses by the word n. */
export function fill(sentence: string, words: Words): string {
  const [singular, plural] = sentence.split(' | ');
  const template = plural !== undefined && Number(words.n) !== 1 ? plural : singular!;
  return template.replace(/\{(\w+)\}/g, (placeholder, name: string) => String(words[name] ?? placeholder));
}

/** A game or an option that this page has no words for is called by its own name. */
export function say(key: Key, words: Words = {}): string {
  return fill(sentences[key] ?? key.replace(/^(game|option)_/, ''), words);
}

/** A sentence about a player; the reader is addressed in the second person where such a form exists. */
export function sayOf(key: Key, name: string, you: boolean, words: Words = {}): string {
  const addressedKey = `${key}_you`;
  return say(you && knows(addressedKey) ? addressedKey : key, { name, ...words });
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
export const capitalize = (text: string): string => text.charAt(0).toLocaleUpperCase(current) + text.slice(1);

/** "Anne, Carl and Mira". */
export const formatList = (names: string[]): string => new Intl.ListFormat(current).format(names);

/** "red +2, green +1": what six numbers say, largest first where it matters not. */
export function gains(numbers: readonly number[]): string {
  return LETTERS.map((letter, at) => ({ letter, n: numbers[at] ?? 0 }))
    .filter(({ n }) => n !== 0)
    .map(({ letter, n }) => say('gain', { symbol: symbolName(letter), points: n }))
    .join(', ');
}
