// Pointing at a symbol's line highlights the symbol in the formula above, and in a figure if the line has a cursor. One listener serves all lines,
// because a chapter has dozens of them, most of which are never used.
import type { PhasorFigure } from '../figure/element/element.ts';
import { symbolIn } from './formula-parts.ts';

function cursorOf({ dataset }: HTMLElement): { readonly [axis: string]: number } {
  return JSON.parse(dataset.cursor ?? '{}') as { [axis: string]: number };
}

const symbolElements = new WeakMap<HTMLElement, readonly Element[]>();

/** The elements of the symbol in the formula above its line. */
function partsOf(line: HTMLElement): readonly Element[] {
  const cached = symbolElements.get(line);
  if (cached) return cached;
  let above = line.parentElement?.previousElementSibling;
  while (above && !above.matches('.formula')) above = above.previousElementSibling;
  const [formula, symbol] = [above?.querySelector('math'), line.querySelector('dt math')];
  const parts = formula && symbol ? symbolIn<Element>(formula, symbol) : [];
  symbolElements.set(line, parts);
  return parts;
}

function light(line: HTMLElement, on: boolean): void {
  for (const part of partsOf(line)) part.classList.toggle('lit', on);
  line.classList.toggle('lit', on);
  const { figure: id } = line.dataset;
  const figure = id === undefined ? undefined : document.getElementById(id)?.querySelector<PhasorFigure>('phasor-figure');
  const live = figure?.live?.peek();
  if (live) live.cursor.value = on ? cursorOf(line) : {};
}

const lineOf = (target: EventTarget | null): HTMLElement | undefined =>
  (target instanceof Element && target.closest<HTMLElement>('dl.symbols > .symbol')) || undefined;

export function lightSymbols(): void {
  let hovered: HTMLElement | undefined;
  let focused: HTMLElement | undefined;
  let highlighted: HTMLElement | undefined;
  const update = (): void => {
    const line = hovered ?? focused;
    if (line === highlighted) return;
    if (highlighted) light(highlighted, false);
    if (line) light(line, true);
    highlighted = line;
  };
  const follow = (name: string, set: (line: HTMLElement | undefined) => void): void =>
    document.addEventListener(name, ({ target }) => {
      set(lineOf(target));
      update();
    });
  follow('pointerover', (line) => (hovered = line));
  follow('focusin', (line) => (focused = line));
  document.addEventListener('focusout', () => {
    focused = undefined;
    update();
  });
  document.documentElement.addEventListener('pointerleave', () => {
    hovered = undefined;
    update();
  });
}
