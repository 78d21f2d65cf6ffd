// Highlights a symbol in the formula and in the figure while the pointer or the focus is on its line in the symbol list.
import type { PhasorFigure } from '../figure/element/element.ts';
import { findSymbol } from './formula-parts.ts';

function readCursor({ dataset }: HTMLElement): { readonly [axis: string]: number } {
  return JSON.parse(dataset.cursor ?? '{}') as { [axis: string]: number };
}

const cachedElements = new WeakMap<HTMLElement, readonly Element[]>();

/** Finds the elements that show this line's symbol in the formula above the list. */
function findSymbolElements(line: HTMLElement): readonly Element[] {
  const cached = cachedElements.get(line);
  if (cached) return cached;
  let formulaElement = line.parentElement?.previousElementSibling;
  while (formulaElement && !formulaElement.matches('.formula')) formulaElement = formulaElement.previousElementSibling;
  const [formula, symbol] = [formulaElement?.querySelector('math'), line.querySelector('dt math')];
  const elements = formula && symbol ? findSymbol<Element>(formula, symbol) : [];
  cachedElements.set(line, elements);
  return elements;
}

function setHighlight(line: HTMLElement, isHighlighted: boolean): void {
  for (const element of findSymbolElements(line)) element.classList.toggle('lit', isHighlighted);
  line.classList.toggle('lit', isHighlighted);
  const { figure: id } = line.dataset;
  const figure = id === undefined ? undefined : document.getElementById(id)?.querySelector<PhasorFigure>('phasor-figure');
  const liveFigure = figure?.live?.peek();
  if (liveFigure) liveFigure.cursor.value = isHighlighted ? readCursor(line) : {};
}

const findSymbolLine = (target: EventTarget | null): HTMLElement | undefined =>
  (target instanceof Element && target.closest<HTMLElement>('dl.symbols > .symbol')) || undefined;

export function highlightSymbols(): void {
  let hoveredLine: HTMLElement | undefined;
  let focusedLine: HTMLElement | undefined;
  let highlightedLine: HTMLElement | undefined;
  const updateHighlight = (): void => {
    const line = hoveredLine ?? focusedLine;
    if (line === highlightedLine) return;
    if (highlightedLine) setHighlight(highlightedLine, false);
    if (line) setHighlight(line, true);
    highlightedLine = line;
  };
  const trackLine = (name: string, set: (line: HTMLElement | undefined) => void): void =>
    document.addEventListener(name, ({ target }) => {
      set(findSymbolLine(target));
      updateHighlight();
    });
  trackLine('pointerover', (line) => (hoveredLine = line));
  trackLine('focusin', (line) => (focusedLine = line));
  document.addEventListener('focusout', () => {
    focusedLine = undefined;
    updateHighlight();
  });
  document.documentElement.addEventListener('pointerleave', () => {
    hoveredLine = undefined;
    updateHighlight();
  });
}
