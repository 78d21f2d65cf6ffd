// The styles of a figure: its style sheets, and the colours of the surrounding page.

import { effect, type ReadonlySignal, type Signal, signal } from '@preact/signals-core';
import { adoptStyles, type CSSResult, type CSSResultOrNative } from 'lit';
import type { Theme } from '../../charts/picture.ts';
import { createLook, isDark, type Look, type Rgba, resolveLook } from '../contract/theme.ts';

export class ElementStyles {
  #opened: CSSResult | undefined;

  /** Assigns the style sheets of the element to a shadow root from the HTML of the page. Sheets that the kind has added are kept. */
  adopt(root: ShadowRoot, elementStyles: readonly CSSResultOrNative[]): void {
    const existingSheets = [...root.adoptedStyleSheets];
    adoptStyles(root, [...elementStyles]);
    root.adoptedStyleSheets.push(...existingSheets);
  }

  /** Adds the styles of collapsible parts, which are loaded when the first part is opened. */
  addOpenedStyles(root: ShadowRoot, openedStyles: CSSResult | undefined): void {
    if (openedStyles === this.#opened) return;
    this.#opened = openedStyles;
    if (openedStyles?.styleSheet) root.adoptedStyleSheets.push(openedStyles.styleSheet);
  }
}

/** The ancestors of an element, nearest first, in the flat tree: through slots and out of shadow roots. */
export function listAncestors(element: Element): Element[] {
  const ancestors: Element[] = [];
  for (let ancestor = getFlatTreeParent(element); ancestor; ancestor = getFlatTreeParent(ancestor)) ancestors.push(ancestor);
  return ancestors;
}

const getFlatTreeParent = (element: Element): Element | null =>
  element.assignedSlot ?? element.parentElement ?? (element.getRootNode() as Partial<ShadowRoot>).host ?? null;

/**
 * Calls `changed`, at most once per frame, when the colours around the figure may have changed: after a change of an attribute of the
 * figure or its ancestors, after a transition or animation, and after input anywhere on the page, because a style may depend on it
 * (`:has(:checked)`). @returns a function that stops this
 */
export function observeSurroundings(figure: Element, changed: () => void): () => void {
  const figureAncestors = listAncestors(figure);
  let frameRequest = 0;
  const scheduleChange = (): void => {
    cancelAnimationFrame(frameRequest);
    frameRequest = requestAnimationFrame(changed);
  };
  const observer = new MutationObserver(scheduleChange);
  // The figure itself sets its other attributes, such as data-state and data-theme.
  observer.observe(figure, { attributeFilter: ['class', 'style'] });
  for (const observedElement of figureAncestors) observer.observe(observedElement, { attributes: true });
  const listeners = new AbortController();
  const listenerOptions = { capture: true, signal: listeners.signal };
  const onAnimationEnd = ({ target }: Event): void => {
    if (target === figure || figureAncestors.includes(target as Element)) scheduleChange();
  };
  // Listens on every root, because transition and input events do not leave a shadow root.
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

// The colours of a page.

interface PageLook {
  readonly systemTheme: ReadonlySignal<Theme>;
  readonly isForced: ReadonlySignal<boolean>;
  /** Parses a computed colour of any syntax by drawing the colour on a canvas. */
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
    // Limits the cache, which animated colours would fill.
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

/** Excludes elements inside content that the browser may skip (content-visibility), because reading their style would force a layout. */
function excludeSkippable(elements: readonly Element[]): readonly Element[] {
  const lastSkippable = elements.findLastIndex((element) => getComputedStyle(element).contentVisibility === 'auto');
  return elements.slice(Math.max(0, lastSkippable));
}

/** The theme of the nearest ancestor with data-theme or a background; otherwise the theme of the page's colour scheme. */
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
  // A page without a declared dark scheme is light, whatever scheme the system prefers.
  if (!declaredScheme.includes('dark')) return 'light';
  return declaredScheme.includes('light') ? systemTheme.value : 'dark';
}

interface ThemeRequest {
  readonly element: Element;
  onTheme(theme: Theme): void;
}
let themeRequests: ThemeRequest[] = [];

/**
 * Finds the theme of a new figure before its first frame is drawn. Themes of figures that start together are all read before any figure changes the
 * page, because interleaving would recompute styles each time.
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

/** The look of a figure. Must be called in an effect, which then depends on the page. `container` is a node inside the figure. */
export function observePage(element: HTMLElement, container: DocumentFragment | HTMLElement): Look {
  const page = getPageLook(element.ownerDocument);
  // Reading the signal makes the effect depend on it, even if the value is not used below.
  void page.systemTheme.value;
  const style = getComputedStyle(element);
  const theme = detectTheme(listAncestors(element), page);
  const probe = element.ownerDocument.createElement('span');
  probe.style.setProperty('forced-color-adjust', 'none');
  const readColor = (name: string): Rgba | undefined => {
    const colorText = name.startsWith('--') ? style.getPropertyValue(name).trim() : name;
    if (colorText === '') return undefined;
    // A custom property is unparsed text; the browser parses it as the colour of an element. The element is added late, because most pages set
    // no custom property.
    if (!probe.isConnected) container.append(probe);
    probe.style.color = '';
    probe.style.color = colorText;
    return probe.style.color === '' ? undefined : page.parseColor(getComputedStyle(probe).color);
  };
  const look = resolveLook({ color: readColor, preferredTheme: theme, isForced: page.isForced.value });
  probe.remove();
  return look;
}

/** Calls `callback` before printing. @returns a function that stops this */
export function beforePrinting(callback: () => void): () => void {
  addEventListener('beforeprint', callback);
  return () => removeEventListener('beforeprint', callback);
}

// The look of one figure, updated while it is near the viewport.

export class ElementLook {
  readonly current: Signal<Look> = signal(createLook('light'));
  readonly #element: HTMLElement;
  readonly #container: () => HTMLElement | DocumentFragment;
  /** Counts possible changes of the surrounding colours. */
  readonly #changes = signal(0);

  /** @param container returns a node inside the figure */
  constructor(element: HTMLElement, container: () => HTMLElement | DocumentFragment) {
    this.#element = element;
    this.#container = container;
  }

  /**
   * Follows the page around a connected element. Near the viewport, `onNear` is called before the look is read, and `onLookRead` after it, both
   * in an effect. @returns a function that stops this
   */
  observe(isNear: ReadonlySignal<boolean>, onNear: () => void, onLookRead: () => void): () => void {
    scheduleThemeDetection(this.#element, (theme) => this.#setTheme(theme));
    // Far from the viewport, a figure is only a frame of text and needs no colours.
    const stopEffect = effect(() => {
      void this.#changes.value;
      if (!isNear.value) return undefined;
      onNear();
      this.update();
      onLookRead();
      return observeSurroundings(this.#element, () => this.markChanged());
    });
    // Printing shows all figures, even those far from the viewport.
    const stopPrintListener = beforePrinting(() => this.update());
    return () => {
      stopEffect();
      stopPrintListener();
    };
  }

  /** Reports that the surrounding colours may differ. */
  markChanged(): void {
    this.#changes.value += 1;
  }

  update(): void {
    const look = observePage(this.#element, this.#container());
    // The picture is redrawn only if colours have changed.
    if (JSON.stringify(look) !== JSON.stringify(this.current.peek())) this.current.value = look;
    this.#setTheme(look.theme);
  }

  #setTheme(theme: Look['theme']): void {
    if (this.#element.dataset.theme !== theme) this.#element.dataset.theme = theme;
  }
}
