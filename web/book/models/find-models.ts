// The search of the page of all models: the families whose model types contain the text, and what a pasted config.json does.
import { MODEL_STRINGS as STRINGS } from '../strings.ts';

/** 'Gemma 3' finds gemma3_text. */
const plain = (text: string): string => text.toLowerCase().replaceAll(/[\s_.-]+/g, '');

interface Tile {
  readonly element: HTMLElement;
  readonly names: readonly string[];
  readonly hit: HTMLElement;
}

/** A model type of the tile that the text finds: the one it is called by if possible. */
export const found = (names: readonly string[], text: string): string | undefined =>
  names.find((name) => plain(name) === plain(text)) ?? names.find((name) => plain(name).includes(plain(text)));

/** Whether a text is a file and no name. */
const isFile = (text: string): boolean => text.trim().startsWith('{');

function tilesOf(): readonly Tile[] {
  return [...document.querySelectorAll<HTMLElement>('.families > ol > li')].map((element) => {
    const hit = document.createElement('p');
    hit.className = 'hit';
    hit.hidden = true;
    element.querySelector('h3')?.after(hit);
    return { element, names: (element.dataset.names ?? '').split(' '), hit };
  });
}

export function findModels(form: HTMLFormElement): void {
  const field = form.querySelector('input') as HTMLInputElement;
  const status = form.querySelector('[role=status]') as HTMLElement;
  const whole = status.textContent;
  const tiles = tilesOf();
  const sections = [...document.querySelectorAll<HTMLElement>('.families')];
  const icons = [...document.querySelectorAll<HTMLElement>('[data-entry]')];
  const isShown = new Map<string, boolean>();
  let latest = 0;

  /** Shows the tiles with a hit; all without a question. @returns the numbers of families and model types */
  function filter(
    hitOf: ((names: readonly string[]) => string | undefined) | undefined,
    isHit: (name: string) => boolean,
    isOfFile = false,
  ) {
    let [families, types] = [0, 0];
    for (const { element, names, hit } of tiles) {
      const name = hitOf?.(names);
      element.hidden = hitOf !== undefined && name === undefined;
      isShown.set(element.id, !element.hidden);
      hit.hidden = name === undefined || (name === element.id && !isOfFile);
      hit.textContent = hit.hidden ? '' : STRINGS[isOfFile ? 'byDefault' : 'same'](name ?? '');
      if (element.hidden) continue;
      families += 1;
      types += names.filter(isHit).length;
    }
    for (const section of sections) section.hidden = section.querySelector('ol > li:not([hidden])') === null;
    for (const icon of icons) icon.classList.toggle('out', isShown.get(icon.dataset.entry ?? '') === false);
    return { families, types };
  }

  async function showFile(text: string): Promise<void> {
    const turn = ++latest;
    status.textContent = STRINGS.reading;
    const { answer } = await import('./config-answer.ts');
    const { words, model_type, lab } = await answer(text);
    if (turn !== latest) return;
    status.textContent = words;
    status.classList.add('answer');
    if (lab) {
      const link = document.createElement('a');
      link.href = lab;
      link.textContent = STRINGS.lab;
      status.append(' ', link);
    }
    const isIt = (name: string): boolean => name === model_type;
    filter(tiles.some(({ names }) => names.some(isIt)) ? (names) => names.find(isIt) : undefined, isIt, true);
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
    const query = plain(text);
    const { families, types } = filter(query ? (names) => found(names, text) : undefined, (name) => plain(name).includes(query));
    status.textContent = query === '' ? whole : families === 0 ? STRINGS.none(text.trim()) : STRINGS.count(types, families);
  }

  function remember(): void {
    const address = new URL(location.href);
    if (field.value === '' || isFile(field.value)) address.searchParams.delete('q');
    else address.searchParams.set('q', field.value);
    history.replaceState(history.state, '', address);
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
