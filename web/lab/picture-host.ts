// <ph-picture>: shows the picture that `draw` returns at the available width, and reports where the user points.
import { effect, signal } from '@preact/signals-core';
import type { Frame } from '../sentence/pictures/place-cursor.ts';
import type { Picture } from '../views/picture.ts';
import { type MountedPicture, mountPicture } from '../views/render/screen.ts';
import { OrderWatch } from './order-watch.ts';
import { drawSafely } from './page-error.ts';
import { theme } from './theme.ts';

export interface PictureTask {
  /** Reads signals, and is called again when one of them changes. Nothing is shown while it returns undefined. */
  draw(frame: Frame): Picture | undefined;
  /** The user points at a place in the picture (CSS px). */
  hit?(x: number, y: number): void;
  /** The user selects what is pointed at. */
  pick?(): void;
  /** The user no longer points at the picture. */
  leave?(): void;
  /** Animate also when no word has moved. */
  readonly animated?: boolean;
  /** An arrow key: columns to the right, rows down. */
  step?(columns: number, rows: number): void;
}

const STEPS: { readonly [key: string]: readonly [number, number] } = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

export class PictureHost extends HTMLElement {
  private readonly task = signal<PictureTask | undefined>(undefined);
  private readonly room = signal(0);
  private readonly highest = signal<number | undefined>(undefined);
  private mounted: MountedPicture | undefined;
  private host: HTMLElement | undefined;
  /** The title used in the element's accessible name. */
  private labelledTitle = '';
  private readonly watch = new OrderWatch();
  private cleanups: (() => void)[] = [];

  set picture(task: PictureTask) {
    if (this.task.peek() !== task) this.task.value = task;
  }

  /** Maximum height of the picture (CSS px). A signal, because a figure may be drawn before its panel sets it. */
  set maxHeight(height: number) {
    this.highest.value = height;
  }

  connectedCallback(): void {
    this.host = document.createElement('div');
    this.replaceChildren(this.host);
    this.mounted = mountPicture(this.host);
    const observer = new ResizeObserver(([entry]) => {
      this.room.value = Math.floor(entry?.contentRect.width ?? 0);
    });
    observer.observe(this);
    this.room.value = Math.floor(this.clientWidth);
    this.cleanups = [() => observer.disconnect(), effect(() => drawSafely(() => this.redraw()))];
    this.listen(this.host);
  }

  disconnectedCallback(): void {
    for (const end of this.cleanups) end();
    this.mounted?.dispose();
    this.replaceChildren();
  }

  private redraw(): void {
    const task = this.task.value;
    const width = this.room.value;
    if (!task || width < 40) return;
    const picture = task.draw({ width, maxHeight: this.highest.value, theme: theme.value });
    // Hide the inner host, so that the width of this element can still be measured.
    if (this.host) this.host.hidden = picture === undefined;
    if (!picture) return;
    const glide = this.watch.moved() || task.animated === true;
    this.mounted?.update(picture, { theme: theme.value, glide });
    if (task.step && picture.title !== this.labelledTitle) {
      this.labelledTitle = picture.title;
      this.tabIndex = 0;
      this.setAttribute('role', 'group');
      this.setAttribute('aria-label', `${picture.title}: arrow keys move the cursor`);
    }
  }

  private listen(host: HTMLElement): void {
    const at = (event: PointerEvent): void => {
      const { left, top } = host.getBoundingClientRect();
      this.task.peek()?.hit?.(event.clientX - left, event.clientY - top);
    };
    host.addEventListener('pointermove', at);
    host.addEventListener('pointerdown', at);
    host.addEventListener('click', () => this.task.peek()?.pick?.());
    // After a touch, keep pointing.
    host.addEventListener('pointerleave', (event) => {
      if (event.pointerType !== 'touch') this.task.peek()?.leave?.();
    });
    this.onblur = () => this.task.peek()?.leave?.();
    this.onkeydown = (event) => {
      const task = this.task.peek();
      const step = STEPS[event.key];
      if (step && task?.step && !event.altKey && !event.ctrlKey && !event.metaKey) {
        event.preventDefault();
        task.step(...step);
      }
      if (event.key === 'Escape') task?.leave?.();
      if (event.key === 'Enter' || event.key === ' ') {
        event.preventDefault();
        task?.pick?.();
      }
    };
  }
}
