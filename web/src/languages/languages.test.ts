import { readFileSync, readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { fill } from '../lib/language.svelte';

const CODES = ['en', 'de', 'nl'] as const;
type Sentences = Record<string, string>;
const read = <T>(name: string): T => JSON.parse(readFileSync(new URL(name, import.meta.url), 'utf8')) as T;
const files = readdirSync(new URL('..', import.meta.url), { recursive: true, encoding: 'utf8' });
const filesOf = (code: string): Sentences[] => [
  read<Sentences>(`./${code}.json`),
  ...files.filter((name) => name.endsWith(`words.${code}.json`)).map((name) => read<Sentences>(`../${name}`)),
];
const sentences = Object.fromEntries(
  CODES.map((code) => [code, Object.assign({}, ...filesOf(code)) as Sentences]),
);
const words = (text: string): string[] => [...new Set(text.match(/\{\w+\}/g) ?? [])].sort();

const sources = files
  .filter((name) => /\.(svelte|ts)$/.test(name) && !name.includes('.test.'))
  .map((name) => readFileSync(new URL(`../${name}`, import.meta.url), 'utf8'))
  .join('\n');

describe('the languages', () => {
  it.each(CODES)('%s has every sentence, and nothing else', (code) => {
    expect(Object.keys(sentences[code]!).sort()).toEqual(Object.keys(sentences.en!).sort());
    expect(Object.entries(sentences[code]!).filter(([, text]) => !text.trim())).toEqual([]);
  });

  it.each(CODES)('%s has no sentence in two files', (code) => {
    const keys = filesOf(code).flatMap((file) => Object.keys(file));
    expect(keys.filter((key, at) => keys.indexOf(key) < at)).toEqual([]);
  });

  it.each(CODES)('%s fills in the same words', (code) => {
    for (const [key, text] of Object.entries(sentences.en!)) {
      expect([key, words(sentences[code]![key]!)]).toEqual([key, words(text)]);
    }
  });

  it('know every sentence that a page asks for', () => {
    const keyOf = [...sources.matchAll(/say\(\s*'(\w+)'/g)].map(([, key]) => key!);
    expect(keyOf.length).toBeGreaterThan(100);
    expect(keyOf.filter((key) => !(key in sentences.en!))).toEqual([]);
  });

  it('have no sentence that no page uses', () => {
    const prefixes = [...sources.matchAll(/[`'](\w+_)\$\{/g)].map(([, start]) => start!);
    // What is said to the reader is asked for by the sentence about others.
    const keyOf = (key: string): string => key.replace(/_you$/, '');
    // Why something cannot be taken back is a key of the server's.
    const server = read<Sentences>('../../../src/sixfold/languages/en.json');
    const isServerReason = (key: string): boolean => /^(undo|back)_/.test(key) && key in server;
    const unused = Object.keys(sentences.en!).filter(
      (key) =>
        !isServerReason(key) &&
        !sources.includes(`'${keyOf(key)}'`) &&
        !prefixes.some((start) => key.startsWith(start)),
    );
    expect(unused).toEqual([]);
  });

  it('have words for every reason why nothing can be taken back', () => {
    const server = read<Sentences>('../../../src/sixfold/languages/en.json');
    const reasons = Object.keys(server).filter((key) =>
      /^(undo_|back_(not_playing|nothing|asked)$)/.test(key),
    );
    expect(reasons.length).toBeGreaterThan(4);
    expect(reasons.filter((key) => !(key in sentences.en!))).toEqual([]);
  });

  it('choose the form by number', () => {
    expect(fill('{n} mark | {n} marks', { n: 1 })).toBe('1 mark');
    expect(fill('{n} mark | {n} marks', { n: 0 })).toBe('0 marks');
  });
});

describe('the rules', () => {
  type Rules = Record<string, { title: string; picture: string; caption: string; clauses: Sentences }[]>;
  const last: Record<string, [string, number]> = { travel: ['T', 20], cards: ['C', 18], dice: ['D', 15] };

  it.each(CODES)('in %s explain every clause once, in order', (code) => {
    const rules = read<Rules>(`../../../src/sixfold/languages/rules/${code}.json`);
    for (const [game, [letter, number]] of Object.entries(last)) {
      const clauses = rules[game]!.flatMap((section) => Object.keys(section.clauses));
      expect(clauses).toEqual(Array.from({ length: number }, (_, at) => `${letter}${at + 1}`));
    }
  });

  it.each(CODES)('in %s say below every picture what it shows', (code) => {
    for (const section of Object.values(
      read<Rules>(`../../../src/sixfold/languages/rules/${code}.json`),
    ).flat())
      expect([section.title, section.caption !== '']).toEqual([section.title, section.picture !== '']);
  });
});
