// The search on the page of all models: finds families whose model types contain the text, or describes the positions of a pasted config.json.
import { MODEL_STRINGS as STRINGS } from '../strings.ts';
import { longestMatch, matchingName, normalizeName } from './search-names.ts';

interface Tile {
  readonly element: HTMLElement;
  readonly names: readonly string[];
  /** Sentences about published models, by name. */
  readonly published: ReadonlyMap<string, string>;
  readonly hit: HTMLElement;
}

/** Whether a text is a file rather than a name. */
const isFile = (text: string): boolean => text.trim().startsWith('{');

function tilesOf(): readonly Tile[] {
  return [...document.querySelectorAll<HTMLElement>('.families > ol > li')].map((element) => {
    const hit = document.createElement('p');
    hit.className = 'hit';
    hit.hidden = true;
    element.querySelector('h3')?.after(hit);
    const models = [...element.querySelectorAll<HTMLElement>('[data-model]')];
    const published = new Map(models.map(({ dataset, textContent }) => [dataset.model ?? '', textContent]));
    return { element, names: (element.dataset.names ?? '').split(' '), published, hit };
  });
}

export function findModels(form: HTMLFormElement): void {
  const field = form.querySelector('input') as HTMLInputElement;
  const status = form.querySelector('[role=status]') as HTMLElement;
  const initialStatus = status.textContent;
  const tiles = tilesOf();
  const sections = [...document.querySelectorAll<HTMLElement>('.families')];
  const icons = [...document.querySelectorAll<HTMLElement>('[data-entry]')];
  const isShown = new Map<string, boolean>();
  let latest = 0;

  const names = tiles.flatMap((tile) => [...tile.names, ...tile.published.keys()]);

  /**
   * Shows the tiles for which `wordsOf` returns a note, or all tiles without `wordsOf`.
   * @returns the tiles that are shown
   */
  function filter(wordsOf?: (tile: Tile) => string | undefined): readonly Tile[] {
    for (const tile of tiles) {
      const words = wordsOf?.(tile);
      tile.element.hidden = wordsOf !== undefined && words === undefined;
      tile.hit.hidden = !words;
      tile.hit.textContent = words ?? '';
      isShown.set(tile.element.id, !tile.element.hidden);
    }
    for (const section of sections) {
      const count = section.querySelectorAll('ol > li:not([hidden])').length;
      section.hidden = count === 0;
      const label = section.querySelector('h2 span');
      if (label) label.textContent = String(count);
    }
    for (const icon of icons) icon.classList.toggle('out', isShown.get(icon.dataset.entry ?? '') === false);
    return tiles.filter(({ element }) => !element.hidden);
  }

  /** The note of a tile that matches the query; '' if the match is the tile's title. */
  function wordsOf({ element, names: types, published }: Tile, query: string): string | undefined {
    const model = matchingName([...published.keys()], query);
    const type = matchingName(types, query);
    if (model !== undefined && (type === undefined || normalizeName(type) !== query)) return published.get(model);
    return type === undefined || type === element.id ? type && '' : STRINGS.same(type);
  }

  async function showFile(text: string): Promise<void> {
    const requestNumber = ++latest;
    status.textContent = STRINGS.reading;
    const { answer } = await import('./config-answer.ts');
    const { words, model_type, lab } = await answer(text);
    if (requestNumber !== latest) return;
    status.textContent = words;
    status.classList.add('answer');
    if (lab) {
      const link = document.createElement('a');
      link.href = lab;
      link.textContent = STRINGS.lab;
      status.append(' ', link);
    }
    const isListed = model_type !== undefined && tiles.some((tile) => tile.names.includes(model_type));
    filter(isListed ? (tile) => (tile.names.includes(model_type) ? STRINGS.byDefault(model_type) : undefined) : undefined);
  }

  function show(): void {
    const text = field.value;
    if (isFile(text)) {
      void showFile(text).catch((thrown: unknown) => {
        status.textContent = thrown instanceof Error ? thrown.message : String(thrown);
      });
      return;
    }
    latest++;
    status.classList.remove('answer');
    if (normalizeName(text) === '') {
      filter();
      status.textContent = initialStatus;
      return;
    }
    const part = longestMatch(text, names);
    const query = normalizeName(part ?? text);
    const shown = filter((tile) => wordsOf(tile, query));
    const types = shown.flatMap((tile) => tile.names).filter((name) => normalizeName(name).includes(query));
    const missing = part === text.trim() ? '' : STRINGS.none(text.trim());
    status.textContent = [missing, part && missing ? STRINGS.instead(part) : '', part ? STRINGS.count(types.length, shown.length) : '']
      .filter(Boolean)
      .join(' ');
  }

  let waiting: ReturnType<typeof setTimeout> | undefined;
  function remember(): void {
    const address = new URL(location.href);
    if (field.value === '' || isFile(field.value)) address.searchParams.delete('q');
    else address.searchParams.set('q', field.value);
    // The URL is changed after a delay, because browsers allow only a hundred changes per 30 seconds.
    clearTimeout(waiting);
    waiting = setTimeout(() => history.replaceState(history.state, '', address), 150);
  }

  field.addEventListener('input', () => {
    show();
    remember();
  });
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    document.querySelector<HTMLElement>('.families > ol > li:not([hidden]) a')?.focus();
  });
  document.addEventListener('keydown', (event) => {
    if (event.key === 'Escape' && document.activeElement === field) {
      field.value = '';
      show();
      remember();
    }
    const { activeElement } = document;
    const isTyping = activeElement instanceof HTMLInputElement || activeElement instanceof HTMLSelectElement;
    if (event.key !== '/' || isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    field.focus();
  });
  const requested = new URLSearchParams(location.search).get('q');
  if (requested !== null && field.value === '') field.value = requested;
  if (field.value !== '') show();
}
