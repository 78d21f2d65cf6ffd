// Search on the page of all models: finds families whose model types match the query, or describes the positions of a pasted config.json.
import { MODEL_STRINGS as STRINGS } from '../strings.ts';
import { findLongestMatch, findName, normalizeName } from './search-names.ts';

interface ModelTile {
  readonly element: HTMLElement;
  readonly names: readonly string[];
  /** Sentences about published models, keyed by model name. */
  readonly publishedModels: ReadonlyMap<string, string>;
  readonly noteElement: HTMLElement;
}

const isConfigText = (text: string): boolean => text.trim().startsWith('{');

function readTiles(): readonly ModelTile[] {
  return [...document.querySelectorAll<HTMLElement>('.families > ol > li')].map((element) => {
    const noteElement = document.createElement('p');
    noteElement.className = 'hit';
    noteElement.hidden = true;
    element.querySelector('h3')?.after(noteElement);
    const models = [...element.querySelectorAll<HTMLElement>('[data-model]')];
    const publishedModels = new Map(models.map(({ dataset, textContent }) => [dataset.model ?? '', textContent]));
    return { element, names: (element.dataset.names ?? '').split(' '), publishedModels, noteElement };
  });
}

export function findModels(form: HTMLFormElement): void {
  const field = form.querySelector('input') as HTMLInputElement;
  const status = form.querySelector('[role=status]') as HTMLElement;
  const initialStatus = status.textContent;
  const tiles = readTiles();
  const sections = [...document.querySelectorAll<HTMLElement>('.families')];
  const stripMarks = [...document.querySelectorAll<HTMLElement>('[data-entry]')];
  const visibilityById = new Map<string, boolean>();
  let latestRequest = 0;

  const allNames = tiles.flatMap((tile) => [...tile.names, ...tile.publishedModels.keys()]);

  /**
   * Shows the tiles for which `getNote` returns a note. Without `getNote`, shows all tiles.
   * @returns the visible tiles
   */
  function showTiles(getNote?: (tile: ModelTile) => string | undefined): readonly ModelTile[] {
    for (const tile of tiles) {
      const note = getNote?.(tile);
      tile.element.hidden = getNote !== undefined && note === undefined;
      tile.noteElement.hidden = !note;
      tile.noteElement.textContent = note ?? '';
      visibilityById.set(tile.element.id, !tile.element.hidden);
    }
    for (const section of sections) {
      const visibleCount = section.querySelectorAll('ol > li:not([hidden])').length;
      section.hidden = visibleCount === 0;
      const label = section.querySelector('h2 span');
      if (label) label.textContent = String(visibleCount);
    }
    for (const stripMark of stripMarks) stripMark.classList.toggle('out', visibilityById.get(stripMark.dataset.entry ?? '') === false);
    return tiles.filter(({ element }) => !element.hidden);
  }

  /** The note on a tile that matches the query. It is empty if the tile's title matches, and undefined if the tile does not match. */
  function findNote({ element, names: types, publishedModels }: ModelTile, query: string): string | undefined {
    const model = findName([...publishedModels.keys()], query);
    const type = findName(types, query);
    if (model !== undefined && (type === undefined || normalizeName(type) !== query)) return publishedModels.get(model);
    return type === undefined || type === element.id ? type && '' : STRINGS.sameEncoding(type);
  }

  async function showConfig(text: string): Promise<void> {
    const requestNumber = ++latestRequest;
    status.textContent = STRINGS.readingFile;
    const { describeConfig } = await import('./config-answer.ts');
    const { answerText, model_type, labUrl } = await describeConfig(text);
    if (requestNumber !== latestRequest) return;
    status.textContent = answerText;
    status.classList.add('answer');
    if (labUrl) {
      const link = document.createElement('a');
      link.href = labUrl;
      link.textContent = STRINGS.openInLab;
      status.append(' ', link);
    }
    const isListed = model_type !== undefined && tiles.some((tile) => tile.names.includes(model_type));
    showTiles(isListed ? (tile) => (tile.names.includes(model_type) ? STRINGS.defaultEncoding(model_type) : undefined) : undefined);
  }

  function showMatches(): void {
    const text = field.value;
    if (isConfigText(text)) {
      void showConfig(text).catch((thrown: unknown) => {
        status.textContent = thrown instanceof Error ? thrown.message : String(thrown);
      });
      return;
    }
    latestRequest++;
    status.classList.remove('answer');
    if (normalizeName(text) === '') {
      showTiles();
      status.textContent = initialStatus;
      return;
    }
    const matchedText = findLongestMatch(text, allNames);
    const query = normalizeName(matchedText ?? text);
    const visibleTiles = showTiles((tile) => findNote(tile, query));
    const types = visibleTiles.flatMap((tile) => tile.names).filter((name) => normalizeName(name).includes(query));
    const noMatchMessage = matchedText === text.trim() ? '' : STRINGS.noMatch(text.trim());
    status.textContent = [
      noMatchMessage,
      matchedText && noMatchMessage ? STRINGS.matchesForPart(matchedText) : '',
      matchedText ? STRINGS.matchCount(types.length, visibleTiles.length) : '',
    ]
      .filter(Boolean)
      .join(' ');
  }

  let urlTimer: ReturnType<typeof setTimeout> | undefined;
  function updateUrl(): void {
    const url = new URL(location.href);
    if (field.value === '' || isConfigText(field.value)) url.searchParams.delete('q');
    else url.searchParams.set('q', field.value);
    // Delayed, because browsers allow only a hundred URL changes per 30 seconds.
    clearTimeout(urlTimer);
    urlTimer = setTimeout(() => history.replaceState(history.state, '', url), 150);
  }

  field.addEventListener('input', () => {
    showMatches();
    updateUrl();
  });
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    document.querySelector<HTMLElement>('.families > ol > li:not([hidden]) a')?.focus();
  });
  document.addEventListener('keydown', (event) => {
    if (event.key === 'Escape' && document.activeElement === field) {
      field.value = '';
      showMatches();
      updateUrl();
    }
    const { activeElement } = document;
    const isTyping = activeElement instanceof HTMLInputElement || activeElement instanceof HTMLSelectElement;
    if (event.key !== '/' || isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    field.focus();
  });
  const initialQuery = new URLSearchParams(location.search).get('q');
  if (initialQuery !== null && field.value === '') field.value = initialQuery;
  if (field.value !== '') showMatches();
}
