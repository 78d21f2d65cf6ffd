// Updates the link below a figure, which opens the Lab with the reader's current settings.

import { SpecError } from '../figure/contract/spec.ts';
import type { PhasorFigure } from '../figure/element/element.ts';
import { labLink } from './lab-link.ts';

/** Events before a link is followed, copied or dragged, by pointer or keys. */
const BEFORE = ['pointerdown', 'focusin', 'click'] as const;

function follow({ target }: Event): void {
  const link = target instanceof Element ? target.closest<HTMLAnchorElement>('.book-figure a.lab') : null;
  const figure = link?.closest('.book-figure')?.querySelector<PhasorFigure>('phasor-figure')?.live?.value;
  const spec = figure?.spec.peek();
  // Fields that cannot be computed are omitted.
  if (link && figure && spec && !(spec instanceof SpecError)) link.hash = labLink(figure.kind, spec);
}

export function followFigures(): void {
  for (const type of BEFORE) document.addEventListener(type, follow, { capture: true });
}
