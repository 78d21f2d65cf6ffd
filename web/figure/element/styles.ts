// Manages a figure's style sheets, and observes the colours of the page around it.

import { effect, type ReadonlySignal, type Signal, signal } from '@preact/signals-core';
import { adoptStyles, type CSSResult, type CSSResultOrNative } from 'lit';
import type { Theme } from '../../charts/picture.ts';
import { createLook, isDark, type Look, type Rgba, resolveLook } from '../contract/theme.ts';

export class ElementStyles {
  #opened: CSSResult | undefined;

  /** Adds the element's style sheets to a declarative shadow root. Sheets already added by the figure kind are kept. */
  adopt(root: ShadowRoot, elementStyles: readonly CSSResultOrNative[]): void {
    const existingSheets = [...root.adoptedStyleSheets];
    adoptStyles(root, [...elementStyles]);
    root.adoptedStyleSheets.push(...existingSheets);
  }

  /** Adds the styles for collapsible parts, which are loaded when the first part is opened. */
  addOpenedStyles(root: ShadowRoot, openedStyles: CSSResult | undefined): void {
    if (openedStyles === this.#opened) return;
    this.#opened = openedStyles;
    if (openedStyles?.styleSheet) root.adoptedStyleSheets.push(openedStyles.styleSheet);
  }
}

/** Lists an element's ancestors in the flat tree, nearest first. */
export function listAncestors(element: Element): Element[] {
  const ancestors: Element[] = [];
  for (let ancestor = getFlatTreeParent(element); ancestor; ancestor = getFlatTreeParent(ancestor)) ancestors.push(ancestor);
  return ancestors;
}

const getFlatTreeParent = (element: Element): Element | null =>
  element.assignedSlot ?? element.parentElement ?? (element.getRootNode() as Partial<ShadowRoot>).host ?? null;

/**
 * Calls `changed`, at most once per frame, when the colours around the figure may have changed: after an attribute of the figure or its
 * ancestors has changed, after a transition or an animation, and after a form control has changed, because styles may depend on it
 * (`:has(:checked)`).
 * @returns a function that stops observing
 */
export function observeSurroundings(figure: Element, changed: () => void): () => void {
  const figureAncestors = listAncestors(figure);
  let frameRequest = 0;
  const scheduleChange = (): void => {
    cancelAnimationFrame(frameRequest);
    frameRequest = requestAnimationFrame(changed);
  };
  const observer = new MutationObserver(scheduleChange);
  // Other attributes, such as data-state and data-theme, are set by the figure itself and not observed.
  observer.observe(figure, { attributeFilter: ['class', 'style'] });
  for (const observedElement of figureAncestors) observer.observe(observedElement, { attributes: true });
  const listeners = new AbortController();
  const listenerOptions = { capture: true, signal: listeners.signal };
  const onAnimationEnd = ({ target }: Event): void => {
    if (target === figure || figureAncestors.includes(target as Element)) scheduleChange();
  };
  // These events do not cross shadow roots, so a listener is added to every root.
  for (const root of new Set([figure, ...figureAncestors].map((element) => element.getRootNode()))) {
    for (const event of ['transitionend', 'transitioncancel', 'animationend', 'animationcancel'])
      root.addEventListener(event, onAnimationEnd, listenerOptions);
    root.addEventListener('change', scheduleChange, listenerOptions);
  }
  return () => {
    cancelAnimationFrame(frameRequest);
    observer.disconnect();
    listeners.abort();
  };
}

interface PageLook {
  readonly systemTheme: ReadonlySignal<Theme>;
  readonly isForced: ReadonlySignal<boolean>;
  /** Parses a colour in any CSS syntax by drawing it on a canvas. */
  parseColor(color: string): Rgba | undefined;
}

const pageLooks = new WeakMap<Document, PageLook>();

function createColorParser(document: Document): (color: string) => Rgba | undefined {
  const canvas = Object.assign(document.createElement('canvas'), { width: 1, height: 1 });
  const context = canvas.getContext('2d', { willReadFrequently: true });
  const colors = new Map<string, Rgba>();
  return (color) => {
    const cachedColor = colors.get(color);
    if (cachedColor || !context) return cachedColor;
    context.clearRect(0, 0, 1, 1);
    context.fillStyle = color;
    context.fillRect(0, 0, 1, 1);
    const [red = 0, green = 0, blue = 0, alpha = 0] = context.getImageData(0, 0, 1, 1).data;
    const rgba: Rgba = [red, green, blue, alpha / 255];
    // Animated colours would fill the cache.
    if (colors.size > 200) colors.clear();
    colors.set(color, rgba);
    return rgba;
  };
}

function getPageLook(document: Document): PageLook {
  const cachedLook = pageLooks.get(document);
  if (cachedLook) return cachedLook;
  const window = document.defaultView as Window & typeof globalThis;
  const darkQuery = window.matchMedia('(prefers-color-scheme: dark)');
  const forcedQuery = window.matchMedia('(forced-colors: active)');
  const systemTheme = signal<Theme>(darkQuery.matches ? 'dark' : 'light');
  const isForced = signal(forcedQuery.matches);
  darkQuery.addEventListener('change', () => {
    systemTheme.value = darkQuery.matches ? 'dark' : 'light';
  });
  forcedQuery.addEventListener('change', () => {
    isForced.value = forcedQuery.matches;
  });
  const look = { systemTheme, isForced, parseColor: createColorParser(document) };
  pageLooks.set(document, look);
  return look;
}

/** Drops elements inside content that the browser may skip (content-visibility), because reading their style would force a layout. */
function excludeSkippable(elements: readonly Element[]): readonly Element[] {
  const lastSkippable = elements.findLastIndex((element) => getComputedStyle(element).contentVisibility === 'auto');
  return elements.slice(Math.max(0, lastSkippable));
}

/** Returns the theme of the nearest ancestor with data-theme or a background, or otherwise of the page's colour scheme. */
function detectTheme(ancestors: readonly Element[], { parseColor, systemTheme }: PageLook): Theme {
  let declaredScheme = '';
  for (const ancestor of ancestors) {
    const theme = ancestor.getAttribute('data-theme');
    if (theme === 'light' || theme === 'dark') return theme;
    const { backgroundColor, colorScheme } = getComputedStyle(ancestor);
    declaredScheme ||= colorScheme;
    const background = backgroundColor === 'rgba(0, 0, 0, 0)' ? undefined : parseColor(backgroundColor);
    if (background && background[3] >= 0.5) return isDark(background) ? 'dark' : 'light';
  }
  // A page that does not declare a dark scheme is light, even if the system prefers dark.
  if (!declaredScheme.includes('dark')) return 'light';
  return declaredScheme.includes('light') ? systemTheme.value : 'dark';
}

interface ThemeRequest {
  readonly element: Element;
  onTheme(theme: Theme): void;
}
let themeRequests: ThemeRequest[] = [];

/**
 * Detects a new figure's theme before its first frame. If several figures start together, all their themes are read before any of them
 * changes the page. Otherwise the browser would recompute the styles for each figure.
 */
export function scheduleThemeDetection(element: Element, onTheme: (theme: Theme) => void): void {
  themeRequests.push({ element, onTheme });
  if (themeRequests.length > 1) return;
  requestAnimationFrame(() => {
    const connectedRequests = themeRequests.filter(({ element }) => element.isConnected);
    themeRequests = [];
    const themes = connectedRequests.map(({ element }) =>
      detectTheme(excludeSkippable(listAncestors(element)), getPageLook(element.ownerDocument)),
    );
    for (const [index, theme] of themes.entries()) connectedRequests[index]?.onTheme(theme);
  });
}

/**
 * Returns a figure's theme and palette. Effects that call it run again when the system theme or forced-colors mode changes. `container` is
 * a node inside the figure.
 */
export function observePage(element: HTMLElement, container: DocumentFragment | HTMLElement): Look {
  const page = getPageLook(element.ownerDocument);
  // Makes the calling effect depend on the system theme, even if it is not used below.
  void page.systemTheme.value;
  const style = getComputedStyle(element);
  const theme = detectTheme(listAncestors(element), page);
  const probe = element.ownerDocument.createElement('span');
  probe.style.setProperty('forced-color-adjust', 'none');
  const readColor = (name: string): Rgba | undefined => {
    const colorText = name.startsWith('--') ? style.getPropertyValue(name).trim() : name;
    if (colorText === '') return undefined;
    // Custom properties are not parsed as colours, so the value is assigned to an element's colour. Most pages set no such property, so the
    // element is added only when needed.
    if (!probe.isConnected) container.append(probe);
    probe.style.color = '';
    probe.style.color = colorText;
    return probe.style.color === '' ? undefined : page.parseColor(getComputedStyle(probe).color);
  };
  const look = resolveLook({ color: readColor, preferredTheme: theme, isForced: page.isForced.value });
  probe.remove();
  return look;
}

/**
 * Calls `callback` before the page is printed.
 * @returns a function that removes the listener
 */
export function beforePrinting(callback: () => void): () => void {
  addEventListener('beforeprint', callback);
  return () => removeEventListener('beforeprint', callback);
}

// Keeps a figure's theme and palette up to date while it is near the viewport.

export class ElementLook {
  readonly current: Signal<Look> = signal(createLook('light'));
  readonly #element: HTMLElement;
  readonly #container: () => HTMLElement | DocumentFragment;
  /** Incremented when the surrounding colours may have changed. */
  readonly #changes = signal(0);

  /** @param container returns a node inside the figure */
  constructor(element: HTMLElement, container: () => HTMLElement | DocumentFragment) {
    this.#element = element;
    this.#container = container;
  }

  /**
   * Observes the page around a connected element. While the figure is near the viewport, an effect calls `onNear`, updates the look, and
   * calls `onLookRead`.
   * @returns a function that stops observing
   */
  observe(isNear: ReadonlySignal<boolean>, onNear: () => void, onLookRead: () => void): () => void {
    scheduleThemeDetection(this.#element, (theme) => this.#setTheme(theme));
    // A figure far from the viewport has only text and needs no colours.
    const stopEffect = effect(() => {
      void this.#changes.value;
      if (!isNear.value) return undefined;
      onNear();
      this.update();
      onLookRead();
      return observeSurroundings(this.#element, () => this.markChanged());
    });
    // All figures are printed, even if they are far from the viewport.
    const stopPrintListener = beforePrinting(() => this.update());
    return () => {
      stopEffect();
      stopPrintListener();
    };
  }

  markChanged(): void {
    this.#changes.value += 1;
  }

  update(): void {
    const look = observePage(this.#element, this.#container());
    // Setting the signal redraws the picture, so it is set only if a colour has changed.
    if (JSON.stringify(look) !== JSON.stringify(this.current.peek())) this.current.value = look;
    this.#setTheme(look.theme);
  }

  #setTheme(theme: Look['theme']): void {
    if (this.#element.dataset.theme !== theme) this.#element.dataset.theme = theme;
  }
}
