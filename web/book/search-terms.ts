// Converts words to search terms, in the same way for the index and for queries.
import type { Options } from 'minisearch';

/** Stop words, which do not identify a topic: “how does RoPE work” is about RoPE. */
const STOP_WORDS = new Set([
  ...['a', 'an', 'and', 'are', 'as', 'at', 'be', 'by', 'can', 'did', 'do', 'does', 'explain', 'for', 'from', 'has', 'have', 'how'],
  ...['i', 'in', 'is', 'it', 'its', 'me', 'my', 'of', 'on', 'or', 'should', 'tell', 'that', 'the', 'their', 'there', 'these', 'they'],
  ...['this', 'to', 'use', 'used', 'was', 'we', 'what', 'when', 'where', 'which', 'who', 'why', 'will', 'with', 'work', 'works', 'you'],
]);

/** Word endings in which s is not a plural suffix, as in cos, bias, this and gauss. */
const SINGULAR_ENDING = /(?:[aiosu]s|ss)$/;

/** Converts a word to a search term without a plural ending. Returns null for a stop word. */
export function toSearchTerm(word: string): string | null {
  const normalizedWord = word.toLowerCase().normalize('NFKD').replaceAll(/\p{M}/gu, '');
  if (STOP_WORDS.has(normalizedWord)) return null;
  return normalizedWord.length > 3 && normalizedWord.endsWith('s') && !SINGULAR_ENDING.test(normalizedWord)
    ? normalizedWord.slice(0, -1)
    : normalizedWord;
}

/** A section of a page. The first section, before any heading, also contains the names of the page. */
export interface SearchSection {
  readonly id: string;
  readonly page: string;
  /** Short summary of the topic for the list of results. Only a page's first section has one. */
  readonly about: string;
  readonly place: 'chapter' | 'glossary' | 'encoding' | 'other';
  /** The page's title, short title and methods. */
  readonly names: string;
  readonly heading: string;
  readonly text: string;
}

export const INDEX_OPTIONS: Options<SearchSection> = {
  idField: 'id',
  fields: ['names', 'heading', 'text'],
  storeFields: ['page', 'about', 'place', 'heading'],
  processTerm: toSearchTerm,
};
