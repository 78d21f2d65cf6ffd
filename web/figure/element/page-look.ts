// The colours around a figure in its page.
import { type ReadonlySignal, signal } from '@preact/signals-core';
import type { Theme } from '../../charts/picture.ts';
import { isDark, type Look, lookOf, type Rgba } from '../contract/theme.ts';
import { around } from './surroundings.ts';

interface PageLook {
  readonly system: ReadonlySignal<Theme>;
  readonly forced: ReadonlySignal<boolean>;
  /** Reads a computed colour as numbers, in whatever way it is written: a canvas has drawn it. */
  read(color: string): Rgba | undefined;
}

const looks = new WeakMap<Document, PageLook>();

function colorReader(document: Document): (color: string) => Rgba | undefined {
  const canvas = Object.assign(document.createElement('canvas'), { width: 1, height: 1 });
  const context = canvas.getContext('2d', { willReadFrequently: true });
  const known = new Map<string, Rgba>();
  return (color) => {
    const before = known.get(color);
    if (before || !context) return before;
    context.clearRect(0, 0, 1, 1);
    context.fillStyle = color;
    context.fillRect(0, 0, 1, 1);
    const [red = 0, green = 0, blue = 0, alpha = 0] = context.getImageData(0, 0, 1, 1).data;
    const found: Rgba = [red, green, blue, alpha / 255];
    // A page has few colours, unless it animates them.
    if (known.size > 200) known.clear();
    known.set(color, found);
    return found;
  };
}

function pageLook(document: Document): PageLook {
  const known = looks.get(document);
  if (known) return known;
  const window = document.defaultView as Window & typeof globalThis;
  const dark = window.matchMedia('(prefers-color-scheme: dark)');
  const forcing = window.matchMedia('(forced-colors: active)');
  const system = signal<Theme>(dark.matches ? 'dark' : 'light');
  const forced = signal(forcing.matches);
  dark.addEventListener('change', () => {
    system.value = dark.matches ? 'dark' : 'light';
  });
  forcing.addEventListener('change', () => {
    forced.value = forcing.matches;
  });
  const look = { system, forced, read: colorReader(document) };
  looks.set(document, look);
  return look;
}

/** Without those inside of what the browser has not laid out yet (content-visibility): to ask for their style would lay it out. */
function laidOut(elements: readonly Element[]): readonly Element[] {
  const last = elements.findLastIndex((one) => getComputedStyle(one).contentVisibility === 'auto');
  return elements.slice(Math.max(0, last));
}

/** The theme of the nearest element around the figure that asks for one by data-theme or has a ground; else that of the page's colour scheme. */
function themeOf(grounds: readonly Element[], { read, system }: PageLook): Theme {
  let scheme = '';
  for (const one of grounds) {
    const theme = one.getAttribute('data-theme');
    if (theme === 'light' || theme === 'dark') return theme;
    const { backgroundColor, colorScheme } = getComputedStyle(one);
    scheme ||= colorScheme;
    const ground = backgroundColor === 'rgba(0, 0, 0, 0)' ? undefined : read(backgroundColor);
    if (ground && ground[3] >= 0.5) return isDark(ground) ? 'dark' : 'light';
  }
  // A page that does not say that it can be dark is light, whatever the system prefers.
  if (!scheme.includes('dark')) return 'light';
  return scheme.includes('light') ? system.value : 'dark';
}

interface Coming {
  readonly element: Element;
  tell(theme: Theme): void;
}
let coming: Coming[] = [];

/**
 * The theme of a figure that has just come, before its first frame is drawn. Those of figures that come together are all read before one of them
 * changes the page: one by one, each would have it computed anew.
 */
export function themeOfComing(element: Element, tell: (theme: Theme) => void): void {
  coming.push({ element, tell });
  if (coming.length > 1) return;
  requestAnimationFrame(() => {
    const here = coming.filter((one) => one.element.isConnected);
    coming = [];
    const themes = here.map(({ element }) => themeOf(laidOut(around(element)), pageLook(element.ownerDocument)));
    for (const [index, theme] of themes.entries()) here[index]?.tell(theme);
  });
}

/** The look of a figure where it is. To be called in an effect: it reads what changes with the page. `room` is inside the figure. */
export function lookAround(element: HTMLElement, room: DocumentFragment | HTMLElement): Look {
  const page = pageLook(element.ownerDocument);
  // Asked for even where it does not decide, so that the effect runs again when it changes.
  void page.system.value;
  const style = getComputedStyle(element);
  const theme = themeOf(around(element), page);
  const probe = element.ownerDocument.createElement('span');
  probe.style.setProperty('forced-color-adjust', 'none');
  const color = (name: string): Rgba | undefined => {
    const written = name.startsWith('--') ? style.getPropertyValue(name).trim() : name;
    if (written === '') return undefined;
    // A custom property is text as it was written; as the colour of an element it is computed. Most pages set none.
    if (!probe.isConnected) room.append(probe);
    probe.style.color = '';
    probe.style.color = written;
    return probe.style.color === '' ? undefined : page.read(getComputedStyle(probe).color);
  };
  const look = lookOf({ color, preferred: theme, forced: page.forced.value });
  probe.remove();
  return look;
}

/** Calls `act` before the page is printed. @returns ends it */
export function beforePrinting(act: () => void): () => void {
  addEventListener('beforeprint', act);
  return () => removeEventListener('beforeprint', act);
}
