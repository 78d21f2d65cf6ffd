// Converts words to search terms, in the same way for the index and for queries.
import type { Options } from 'minisearch';

/** Stop words, which say nothing about a question's topic: “how does RoPE work” is about RoPE. */
const STOP_WORDS = new Set([
  ...['a', 'an', 'and', 'are', 'as', 'at', 'be', 'by', 'can', 'did', 'do', 'does', 'explain', 'for', 'from', 'has', 'have', 'how'],
  ...['i', 'in', 'is', 'it', 'its', 'me', 'my', 'of', 'on', 'or', 'should', 'tell', 'that', 'the', 'their', 'there', 'these', 'they'],
  ...['this', 'to', 'use', 'used', 'was', 'we', 'what', 'when', 'where', 'which', 'who', 'why', 'will', 'with', 'work', 'works', 'you'],
]);

/** Endings of words that look like plurals but are singular, such as cos, bias, this and gauss. */
const SINGULAR_ENDING = /(?:[aiosu]s|ss)$/;

/** The search term of a word, without a plural ending; null for a stop word. */
export function toSearchTerm(word: string): string | null {
  const normalizedWord = word.toLowerCase().normalize('NFKD').replaceAll(/\p{M}/gu, '');
  if (STOP_WORDS.has(normalizedWord)) return null;
  return normalizedWord.length > 3 && normalizedWord.endsWith('s') && !SINGULAR_ENDING.test(normalizedWord)
    ? normalizedWord.slice(0, -1)
    : normalizedWord;
}

/** A section of a page. The first section, before any heading, also contains the names of the page. */
export interface Section {
  readonly id: string;
  readonly page: string;
  /** The topic in a few words, for the list of results. Only the first section of a page has one. */
  readonly about: string;
  readonly place: 'chapter' | 'glossary' | 'encoding' | 'other';
  /** The title, the short title and the methods of the page. */
  readonly names: string;
  readonly heading: string;
  readonly text: string;
}

export const INDEX_OPTIONS: Options<Section> = {
  idField: 'id',
  fields: ['names', 'heading', 'text'],
  storeFields: ['page', 'about', 'place', 'heading'],
  processTerm: toSearchTerm,
};
