// The page of one figure: it reads fields from its URL, and updates the URL after the reader changes them.
import type { PhasorFigureElement } from '../../figure/contract/element-types.ts';
import { GALLERY_STRINGS as STRINGS } from '../strings.ts';
import { shownIn } from './shown.ts';

/** Duration of the confirmation on the button, in ms. */
const MESSAGE_MS = 2000;

function alertIn(text: Element, problem: string): void {
  const line = Object.assign(document.createElement('p'), { textContent: problem });
  line.setAttribute('role', 'alert');
  text.querySelector('.chapter-head')?.after(line);
}

/** Offers the URL for copying; without the Clipboard API it selects the URL in the address bar. */
function offerLink(text: Element): void {
  const button = text.querySelector<HTMLButtonElement>('.copy-link');
  if (!button || !navigator.clipboard) return;
  button.hidden = false;
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(location.href);
    button.textContent = STRINGS.copied;
    setTimeout(() => (button.textContent = STRINGS.copy), MESSAGE_MS);
  });
}

/**
 * Shows the figure in the URL. Must be called before figures are defined.
 * @param text the element <main> of the page
 * @returns whether the URL has fields, which make the picture in the HTML outdated
 */
export function showFigure(text: HTMLElement, search: string): boolean {
  const { kind = '' } = text.dataset;
  const figure = text.querySelector<PhasorFigureElement>('phasor-figure');
  if (!figure) return false;
  // A poster with other fields gets the URL of its kind.
  const path = new URL(`${document.documentElement.dataset.root ?? './'}gallery/${kind}/`, document.baseURI).pathname;
  figure.addEventListener('phasor-change', (event) => {
    const { text: fields = {} } = (event as CustomEvent<{ text?: Record<string, string> }>).detail;
    const query = new URLSearchParams(fields).toString();
    history.replaceState(history.state, '', query === '' ? path : `${path}?${query}`);
  });
  offerLink(text);
  const { spec, problem } = shownIn(search, kind);
  if (problem !== undefined) alertIn(text, problem);
  if (!spec) return false;
  // The spec is assigned as a property, not as attributes, because a URL may contain any names. The figure reports unknown fields.
  figure.spec = spec;
  figure.classList.add('requested');
  figure.addEventListener('phasor-ready', () => figure.classList.remove('requested'), { once: true });
  return true;
}

/** Opens a figure's page for a gallery URL of version 0.1: ?kind=similarity&length=8. */
export function openKind(text: HTMLElement, search: string): void {
  const { spec, problem } = shownIn(search);
  if (problem !== undefined) alertIn(text, problem);
  if (!spec) return;
  const { kind = '', ...fields } = spec;
  const pages = [...text.querySelectorAll<HTMLAnchorElement>('a')];
  const page = pages.find(({ pathname }) => pathname.endsWith(`/gallery/${kind}/`));
  const query = new URLSearchParams(fields as Record<string, string>).toString();
  if (page) location.replace(query === '' ? page.href : `${page.href}?${query}`);
  else alertIn(text, STRINGS.unknown(kind));
}
