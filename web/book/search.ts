// Search without a server: the index is loaded when the field is first used.
import type { SearchResult } from './find.ts';
import { fromRoot } from './site.ts';
import { SEARCH_STRINGS as STRINGS } from './strings.ts';

type Search = (question: string) => readonly SearchResult[];

const MAX = 8;

async function load(): Promise<Search> {
  const [{ default: MiniSearch }, { find }, { INDEX }, response] = await Promise.all([
    import('minisearch'),
    import('./find.ts'),
    import('./search-terms.ts'),
    fetch(fromRoot('book/search.json')),
  ]);
  if (!response.ok) throw new Error(`search.json: ${response.status}`);
  const index = MiniSearch.loadJSON(await response.text(), INDEX);
  return (question) => find(index, question);
}

function list(results: readonly SearchResult[], query: string): Node[] {
  const count = document.createElement('p');
  count.textContent = results.length === 0 ? STRINGS.none(query) : STRINGS.count(results.length);
  const resultList = document.createElement('ul');
  for (const { id, page, about, heading } of results.slice(0, MAX)) {
    const link = document.createElement('a');
    link.href = fromRoot(`book/${id}`).href;
    const where = document.createElement('b');
    where.textContent = heading || page;
    link.append(where, ` ${heading ? page : about}`);
    const item = document.createElement('li');
    item.append(link);
    resultList.append(item);
  }
  return [count, resultList];
}

export function searching(): void {
  const form = document.querySelector<HTMLFormElement>('form.search');
  const field = form?.querySelector('input');
  const found = form?.querySelector<HTMLElement>('.found');
  if (!form || !field || !found) return;
  let loading: Promise<Search> | undefined;
  const start = (): Promise<Search> => {
    loading ??= load().catch((thrown: unknown) => {
      loading = undefined;
      throw thrown;
    });
    return loading;
  };
  const show = async (): Promise<void> => {
    const query = field.value.trim();
    if (query === '') {
      found.replaceChildren();
      return;
    }
    try {
      const search = await start();
      if (field.value.trim() === query) found.replaceChildren(...list(search(query), query));
    } catch (thrown) {
      console.error(thrown);
      found.textContent = STRINGS.failed;
    }
  };
  field.addEventListener('focus', () => void start().catch(() => {}));
  field.addEventListener('input', () => void show());
  // Searches for text that was typed before this script was loaded.
  if (document.activeElement === field) void show();
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    const first = found.querySelector('a');
    if (first) location.href = first.href;
  });
  form.addEventListener('keydown', ({ key }) => {
    if (key !== 'Escape') return;
    field.value = '';
    found.replaceChildren();
  });
}
