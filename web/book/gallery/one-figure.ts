// The figure in the URL of the gallery, live, above the wall of all figures.
import { shownIn } from './shown.ts';

/** Must be called before figures are defined, which then also upgrades the added figure. */
export function showAsked(place: Element, search: string): void {
  const { spec, problem } = shownIn(search);
  if (problem !== undefined) place.append(Object.assign(document.createElement('p'), { role: 'alert', textContent: problem }));
  if (!spec) return;
  const figure = document.createElement('phasor-figure');
  // Not as attributes: a URL may contain any names. The figure reports unknown fields.
  figure.spec = spec;
  place.append(figure);
}
