/** The sentences of a table, which a server would say: why not, and why a hint. */
import { fill, language, type Language } from '../lib/language.svelte';
import type { Problem } from '../lib/types';
import type { Refusal } from '../rules';

const loaders: Record<Language, () => Promise<{ default: Record<string, string> }>> = {
  en: () => import('../../../src/sixfold/languages/en.json'),
  de: () => import('../../../src/sixfold/languages/de.json'),
  nl: () => import('../../../src/sixfold/languages/nl.json'),
};

export async function sentence(key: string, words: Record<string, string> = {}): Promise<string> {
  return fill((await loaders[language()]()).default[key] ?? key, words);
}

export const hasSentence = async (key: string): Promise<boolean> => key in (await loaders.en()).default;

export const problemOf = async ({ key, words, clause }: Refusal): Promise<Problem> => ({
  key,
  words,
  clause,
  reason: await sentence(key, words),
});
