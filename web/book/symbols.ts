// Pointing at the line of a symbol lights it in the formula above, and in a figure where the line says where.
import type { PhasorFigure } from '../figure/element.ts';
import { symbolIn } from './formula-parts.ts';

function cursorOf({ dataset }: HTMLElement): { readonly [axis: string]: number } {
  return JSON.parse(dataset.cursor ?? '{}') as { [axis: string]: number };
}

function light(line: HTMLElement, parts: () => readonly Element[], on: boolean): void {
  for (const part of parts()) part.classList.toggle('lit', on);
  line.classList.toggle('lit', on);
  const { figure: id } = line.dataset;
  const figure = id === undefined ? undefined : document.getElementById(id)?.querySelector<PhasorFigure>('phasor-figure');
  const live = figure?.live?.peek();
  if (live) live.cursor.value = on ? cursorOf(line) : {};
}

export function lightSymbols(): void {
  for (const list of document.querySelectorAll<HTMLElement>('dl.symbols')) {
    let above = list.previousElementSibling;
    while (above && !above.matches('.formula')) above = above.previousElementSibling;
    const formula = above?.querySelector('math');
    for (const line of list.querySelectorAll<HTMLElement>('.symbol')) {
      const symbol = line.querySelector('dt math');
      let found: readonly Element[] | undefined;
      // Looked for when it is first pointed at: a chapter has dozens.
      const parts = (): readonly Element[] => {
        found ??= formula && symbol ? symbolIn<Element>(formula, symbol) : [];
        return found;
      };
      for (const name of ['pointerenter', 'focus']) line.addEventListener(name, () => light(line, parts, true));
      for (const name of ['pointerleave', 'blur']) line.addEventListener(name, () => light(line, parts, false));
    }
  }
}
