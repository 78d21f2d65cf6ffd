// A figure's picture. The still picture from the page's HTML is displayed first, and later replaced with the live picture.
import type { LitElement } from 'lit';
import { readStillWidth } from '../contract/attributes.ts';
import type { Figure } from '../runtime/controller.ts';
import { enqueueTask } from '../runtime/scheduling.ts';
import { createFigureSurface } from '../surface/figure-surface.ts';
import type { Surface } from '../surface/picture-surface.ts';
import type { ElementLook } from './styles.ts';
import type { View } from './view-state.ts';

// The placeholder is a pre-rendered figure in a declarative shadow root. It remains until the live figure has its results, so that
// replacing it does not shift the layout.
export class Placeholder {
  #nodes: readonly ChildNode[] = [];
  #width: number | undefined;
  #height: number | undefined;
  #firstContents: unknown;

  /** Width of the still picture in CSS px. The live picture has the same width until its container is measured. */
  get width(): number | undefined {
    this.#measure();
    return this.#width;
  }

  get isShown(): boolean {
    return this.#nodes.length > 0;
  }

  /**
   * Height of the still picture in CSS px. The live picture has the same height until its contents change. Otherwise, its height could
   * differ, for example if a scroll bar makes the page narrower.
   */
  heightFor(contents: unknown): number | undefined {
    this.#firstContents ??= contents;
    return this.#firstContents === contents ? this.#height : undefined;
  }

  /**
   * Takes over the nodes of the declarative shadow root.
   * @returns the node before which the live figure is rendered
   */
  adopt(root: ShadowRoot | null): ChildNode | undefined {
    if (!root?.hasChildNodes()) return undefined;
    this.#nodes = [...root.childNodes];
    const marker = root.ownerDocument.createComment('');
    root.prepend(marker);
    return marker;
  }

  /**
   * Removes the placeholder if the live figure replaces it.
   * @returns whether the placeholder is still displayed
   */
  isStillShown(isReplaced: boolean): boolean {
    if (!isReplaced) return this.isShown;
    this.#measure();
    for (const node of this.#nodes) node.remove();
    this.#nodes = [];
    return false;
  }

  #measure(): void {
    for (const node of this.#nodes) {
      const picture = node instanceof Element ? node.querySelector('.picture') : null;
      this.#width ??= picture?.clientWidth;
      this.#height ??= picture?.getBoundingClientRect().height;
    }
  }
}

export interface PictureOptions {
  readonly view: View;
  readonly look: ElementLook;
  readonly placeholder: Placeholder;
  changed(figure: Figure, field: string): void;
}

/** Creates the live picture after the element is rendered. If there are no results yet, the picture is created in a separate task. */
export class ElementPicture {
  readonly #element: LitElement;
  readonly #options: PictureOptions;
  #surface: Surface | undefined;

  constructor(element: LitElement, options: PictureOptions) {
    this.#element = element;
    this.#options = options;
  }

  get surface(): Surface | undefined {
    return this.#surface;
  }

  showSoon(): void {
    if (this.#surface) return;
    if (this.#options.view.latestResult.peek()) this.#show();
    else enqueueTask(() => this.#show());
  }

  dispose(): void {
    this.#surface?.dispose();
    this.#surface = undefined;
  }

  #show(): void {
    const { view, look, placeholder, changed: onFieldChange } = this.#options;
    const { figure: figureSignal, latestResult, isNear } = view;
    const figure = figureSignal.peek();
    if (!figure || this.#surface || !this.#element.isConnected || !(isNear.peek() || latestResult.peek())) return;
    const surfaceElement = this.#element.renderRoot?.querySelector<HTMLElement>('.surface');
    if (!surfaceElement) return;
    if (!isNear.peek()) look.update();
    this.#surface = createFigureSurface(surfaceElement, figure, view, {
      look: look.current,
      maxWidth: readStillWidth(this.#element),
      expectedWidth: placeholder.width,
      onFieldChange,
    });
    view.isPending.value = false;
  }
}
