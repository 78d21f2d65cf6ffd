// When the colours of a page may have changed: the system's preference, or an attribute of the root element.
import { type ReadonlySignal, signal } from '@preact/signals-core';
import type { Theme } from '../views/picture.ts';

export interface PageLook {
  /** The theme that the page's root asks for by data-theme, else the system's. */
  readonly preferred: ReadonlySignal<Theme>;
  /** Counts changes that may have changed colours. */
  readonly version: ReadonlySignal<number>;
}

const looks = new WeakMap<Document, PageLook>();

/** One observer a document, however many figures it has. */
export function pageLook(document: Document): PageLook {
  const known = looks.get(document);
  if (known) return known;
  const window = document.defaultView as Window & typeof globalThis;
  const dark = window.matchMedia('(prefers-color-scheme: dark)');
  const current = (): Theme => {
    const { theme } = document.documentElement.dataset;
    if (theme === 'light' || theme === 'dark') return theme;
    return dark.matches ? 'dark' : 'light';
  };
  const preferred = signal(current());
  const version = signal(0);
  const changed = (): void => {
    preferred.value = current();
    version.value += 1;
  };
  dark.addEventListener('change', changed);
  new window.MutationObserver(changed).observe(document.documentElement, { attributes: true, attributeFilter: ['class', 'style', 'data-theme'] });
  const look = { preferred, version };
  looks.set(document, look);
  return look;
}
