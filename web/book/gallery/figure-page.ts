// The page of a single figure. Keeps the URL in sync with the figure's fields.
import type { PhasorFigureElement } from '../../figure/contract/element-types.ts';
import { GALLERY_STRINGS as STRINGS } from '../strings.ts';
import { parseFigureUrl } from './shown.ts';

const MESSAGE_DURATION_MS = 2000;

function showAlert(mainElement: Element, problem: string): void {
  const alertElement = Object.assign(document.createElement('p'), { textContent: problem });
  alertElement.setAttribute('role', 'alert');
  mainElement.querySelector('.chapter-head')?.after(alertElement);
}

/** Sets up the button that copies the URL. The button stays hidden if the browser has no Clipboard API. */
function showCopyLink(mainElement: Element): void {
  const button = mainElement.querySelector<HTMLButtonElement>('.copy-link');
  if (!button || !navigator.clipboard) return;
  button.hidden = false;
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(location.href);
    button.textContent = STRINGS.copied;
    setTimeout(() => (button.textContent = STRINGS.copyLink), MESSAGE_DURATION_MS);
  });
}

/**
 * Shows the figure that the URL describes. Must be called before the <phasor-figure> element is defined.
 * @param mainElement the page's <main> element
 * @returns whether the URL sets fields that the static picture does not show
 */
export function showFigure(mainElement: HTMLElement, search: string): boolean {
  const { kind = '' } = mainElement.dataset;
  const figure = mainElement.querySelector<PhasorFigureElement>('phasor-figure');
  if (!figure) return false;
  // Refers to the page of this kind of figure, even if the current page shows a poster.
  const path = new URL(`${document.documentElement.dataset.root ?? './'}gallery/${kind}/`, document.baseURI).pathname;
  figure.addEventListener('phasor-change', (event) => {
    const { text: fields = {} } = (event as CustomEvent<{ text?: Record<string, string> }>).detail;
    const queryString = new URLSearchParams(fields).toString();
    history.replaceState(history.state, '', queryString === '' ? path : `${path}?${queryString}`);
  });
  showCopyLink(mainElement);
  const { spec, problem } = parseFigureUrl(search, kind);
  if (problem !== undefined) showAlert(mainElement, problem);
  if (!spec) return false;
  // Assigned as a property, because field names from a URL may not be valid attribute names.
  figure.spec = spec;
  figure.classList.add('requested');
  figure.addEventListener('phasor-ready', () => figure.classList.remove('requested'), { once: true });
  return true;
}

/** Opens the page of a figure for a gallery URL from version 0.1, such as ?kind=similarity&length=8. */
export function openKind(mainElement: HTMLElement, search: string): void {
  const { spec, problem } = parseFigureUrl(search);
  if (problem !== undefined) showAlert(mainElement, problem);
  if (!spec) return;
  const { kind = '', ...fields } = spec;
  const pageLinks = [...mainElement.querySelectorAll<HTMLAnchorElement>('a')];
  const page = pageLinks.find(({ pathname }) => pathname.endsWith(`/gallery/${kind}/`));
  const query = new URLSearchParams(fields as Record<string, string>).toString();
  if (page) location.replace(query === '' ? page.href : `${page.href}?${query}`);
  else showAlert(mainElement, STRINGS.unknownKind(kind));
}
