// What shows the picture of one element, made when there is a place for it: at once where there are numbers for it, and else in a task of its own.
import type { LitElement } from 'lit';
import { stillWidth } from '../contract/attributes.ts';
import type { Figure } from '../runtime/controller.ts';
import { enqueueTask } from '../runtime/task-queue.ts';
import { figureSurface } from '../surface/figure-surface.ts';
import type { Surface } from '../surface/picture-surface.ts';
import type { ElementLook } from './element-look.ts';
import type { Placeholder } from './placeholder.ts';
import type { View } from './view-state.ts';

export interface PictureOptions {
  readonly view: View;
  readonly look: ElementLook;
  readonly placeholder: Placeholder;
  /** The reader has set a field in the picture. */
  changed(figure: Figure, field: string): void;
}

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
    if (this.#options.view.latest.peek()) this.#show();
    else enqueueTask(() => this.#show());
  }

  dispose(): void {
    this.#surface?.dispose();
    this.#surface = undefined;
  }

  #show(): void {
    const { view, look, placeholder, changed } = this.#options;
    const { figure: current, latest, near } = view;
    const figure = current.peek();
    if (!figure || this.#surface || !this.#element.isConnected || !(near.peek() || latest.peek())) return;
    const host = this.#element.renderRoot?.querySelector<HTMLElement>('.surface');
    if (!host) return;
    if (!near.peek()) look.resolve();
    this.#surface = figureSurface(host, figure, view, {
      look: look.current,
      most: stillWidth(this.#element),
      known: placeholder.width,
      changed,
    });
    view.isPending.value = false;
  }
}
