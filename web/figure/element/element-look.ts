// The look of one figure: the colours around it, followed while it is near sight.
import { effect, type ReadonlySignal, type Signal, signal } from '@preact/signals-core';
import { type Look, plainLook } from '../contract/theme.ts';
import { beforePrinting, lookAround, themeOfComing } from './page-look.ts';
import { followSurroundings } from './surroundings.ts';

export class ElementLook {
  readonly current: Signal<Look> = signal(plainLook('light'));
  readonly #element: HTMLElement;
  readonly #room: () => HTMLElement | DocumentFragment;
  /** Counts what may have changed colours around the figure. */
  readonly #surroundings = signal(0);

  /** `room`: what is inside the element. */
  constructor(element: HTMLElement, room: () => HTMLElement | DocumentFragment) {
    this.#element = element;
    this.#room = room;
  }

  /** Begins for an element that is in a page now. `comesNear` is called in an effect, before the look is read. @returns what ends it */
  follow(near: ReadonlySignal<boolean>, comesNear: () => void, isNear: () => void): () => void {
    themeOfComing(this.#element, (theme) => this.#setTheme(theme));
    // Far from sight there is a frame of words and nothing else.
    const endLook = effect(() => {
      void this.#surroundings.value;
      if (!near.value) return undefined;
      comesNear();
      this.resolve();
      isNear();
      return followSurroundings(this.#element, () => this.changed());
    });
    // On paper all are seen.
    const endPaper = beforePrinting(() => this.resolve());
    return () => {
      endLook();
      endPaper();
    };
  }

  /** Other colours may be around. */
  changed(): void {
    this.#surroundings.value += 1;
  }

  resolve(): void {
    const look = lookAround(this.#element, this.#room());
    // A picture is drawn anew for other colours only.
    if (JSON.stringify(look) !== JSON.stringify(this.current.peek())) this.current.value = look;
    this.#setTheme(look.theme);
  }

  #setTheme(theme: Look['theme']): void {
    if (this.#element.dataset.theme !== theme) this.#element.dataset.theme = theme;
  }
}
