// Searches the book: matches in titles rank first, then those in headings, the glossary and the text.
import type MiniSearch from 'minisearch';
import type { SearchOptions } from 'minisearch';
import type { SearchSection } from './search-terms.ts';

export type SearchResult = Pick<SearchSection, 'id' | 'page' | 'about' | 'heading' | 'place'>;

/** Score boosts by kind of page: a chapter that explains a concept ranks above pages that only mention it. */
const PLACE_BOOST: { readonly [Place in SearchSection['place']]: number } = { chapter: 4, glossary: 1.5, encoding: 1.2, other: 0.5 };

const RANKING: SearchOptions = {
  boost: { names: 12, heading: 4 },
  boostDocument: (_id, _term, storedFields) => PLACE_BOOST[(storedFields as unknown as SearchResult).place],
  prefix: true,
  fuzzy: (term) => (term.length > 4 ? 0.2 : false),
  // The length normalisation (b) is weak, because a match in a long title is as relevant as one in a short title.
  bm25: { k: 1.2, b: 0.3, d: 0.5 },
  weights: { prefix: 0.6, fuzzy: 0.05 },
};

/** Finds the sections that contain all words of the query; if there are none, those that contain some of the words. */
export function searchBook(index: MiniSearch<SearchSection>, query: string): readonly SearchResult[] {
  const completeMatches = index.search(query, { ...RANKING, combineWith: 'AND' });
  return (completeMatches.length > 0 ? completeMatches : index.search(query, RANKING)) as unknown as readonly SearchResult[];
}
