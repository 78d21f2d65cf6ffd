// Client-side search. The index is loaded when the search field is first used.
import type { SearchResult } from './find.ts';
import { fromRoot } from './site.ts';
import { SEARCH_STRINGS as STRINGS } from './strings.ts';

type SearchFunction = (query: string) => readonly SearchResult[];

const MAX_RESULT_COUNT = 8;

async function loadSearch(): Promise<SearchFunction> {
  const [{ default: MiniSearch }, { searchBook }, { INDEX_OPTIONS }, response] = await Promise.all([
    import('minisearch'),
    import('./find.ts'),
    import('./search-terms.ts'),
    fetch(fromRoot('book/search.json')),
  ]);
  if (!response.ok) throw new Error(`search.json: ${response.status}`);
  const searchIndex = MiniSearch.loadJSON(await response.text(), INDEX_OPTIONS);
  return (query) => searchBook(searchIndex, query);
}

function createResultNodes(results: readonly SearchResult[], query: string): Node[] {
  const countElement = document.createElement('p');
  countElement.textContent = results.length === 0 ? STRINGS.noResults(query) : STRINGS.resultCount(results.length);
  const resultList = document.createElement('ul');
  for (const { id, page, about, heading } of results.slice(0, MAX_RESULT_COUNT)) {
    const link = document.createElement('a');
    link.href = fromRoot(`book/${id}`).href;
    const linkTitle = document.createElement('b');
    linkTitle.textContent = heading || page;
    link.append(linkTitle, ` ${heading ? page : about}`);
    const listItem = document.createElement('li');
    listItem.append(link);
    resultList.append(listItem);
  }
  return [countElement, resultList];
}

export function setUpSearch(): void {
  const form = document.querySelector<HTMLFormElement>('form.search');
  const field = form?.querySelector('input');
  const resultElement = form?.querySelector<HTMLElement>('.found');
  if (!form || !field || !resultElement) return;
  let pendingSearch: Promise<SearchFunction> | undefined;
  const loadSearchOnce = (): Promise<SearchFunction> => {
    pendingSearch ??= loadSearch().catch((thrown: unknown) => {
      pendingSearch = undefined;
      throw thrown;
    });
    return pendingSearch;
  };
  const showResults = async (): Promise<void> => {
    const query = field.value.trim();
    if (query === '') {
      resultElement.replaceChildren();
      return;
    }
    try {
      const search = await loadSearchOnce();
      if (field.value.trim() === query) resultElement.replaceChildren(...createResultNodes(search(query), query));
    } catch (thrown) {
      console.error(thrown);
      resultElement.textContent = STRINGS.indexNotLoaded;
    }
  };
  field.addEventListener('focus', () => void loadSearchOnce().catch(() => {}));
  field.addEventListener('input', () => void showResults());
  // Handles text that was typed before this script was loaded.
  if (document.activeElement === field) void showResults();
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    const firstLink = resultElement.querySelector('a');
    if (firstLink) location.href = firstLink.href;
  });
  form.addEventListener('keydown', ({ key }) => {
    if (key !== 'Escape') return;
    field.value = '';
    resultElement.replaceChildren();
  });
}
