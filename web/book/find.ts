// Search results for a query: titles first, then headings, the glossary, the text.
import type MiniSearch from 'minisearch';
import type { SearchOptions } from 'minisearch';
import type { Section } from './search-terms.ts';

export type Found = Pick<Section, 'id' | 'page' | 'about' | 'heading' | 'place'>;

/** The chapter that explains something is wanted before what else mentions it. */
const PLACEMENTS: { readonly [Place in Section['place']]: number } = { chapter: 4, glossary: 1.5, encoding: 1.2, other: 0.5 };

const RANKING: SearchOptions = {
  boost: { names: 12, heading: 4 },
  boostDocument: (_id, _term, stored) => PLACEMENTS[(stored as unknown as Found).place],
  // The beginning of a word, and a slip of the pen in a longer one.
  prefix: true,
  fuzzy: (term) => (term.length > 4 ? 0.2 : false),
  // A title may be long: the word counts, not its share.
  bm25: { k: 1.2, b: 0.3, d: 0.5 },
  weights: { prefix: 0.6, fuzzy: 0.05 },
};

/** Sections with all words of the question, or with some where none has all. */
export function find(index: MiniSearch<Section>, question: string): readonly Found[] {
  const all = index.search(question, { ...RANKING, combineWith: 'AND' });
  return (all.length > 0 ? all : index.search(question, RANKING)) as unknown as readonly Found[];
}
