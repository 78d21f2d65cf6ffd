// The picture of a figure on the page: a scene, the cursor over it, pointer and arrow keys.
import { computed, effect, type ReadonlySignal, signal } from '@preact/signals-core';
import { mountPicture } from '../views/render/screen.ts';
import type { Cursor, Scene } from '../views/scene.ts';
import type { Computed, Figure } from './controller.ts';
import type { Look } from './theme.ts';

const STEPS: { readonly [key: string]: readonly [number, number] } = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

export interface Surface {
  readonly width: ReadonlySignal<number>;
  /** The scene on the screen: made anew for other numbers, another size or theme, not for the cursor. */
  readonly scene: ReadonlySignal<Scene | undefined>;
  dispose(): void;
}

export interface SurfaceOptions {
  readonly figure: Figure;
  readonly look: ReadonlySignal<Look>;
  readonly settings: ReadonlySignal<{ readonly maxHeight: number | undefined }>;
  /** Whether the figure is within two screens of sight: further away it keeps its box and lets go of its pixels. */
  readonly near: ReadonlySignal<boolean>;
  /** The width at most, px: that of the still picture which the live one replaces. */
  readonly width: number | undefined;
  /** An arrow key has moved the cursor. */
  stepped(): void;
  /** Drawing has failed, by a fault of the program. */
  broken(thrown: unknown): void;
}

/** Shows the scene of a figure in `host`, at the width of `host`'s parent. */
export function pictureSurface(
  host: HTMLElement,
  { figure, look, settings, near, width: most = Number.POSITIVE_INFINITY, stepped, broken }: SurfaceOptions,
): Surface {
  const room = host.parentElement as HTMLElement;
  const fitting = (offered: number): number => Math.floor(Math.min(offered, most));
  const width = signal(fitting(room.clientWidth));
  const observer = new ResizeObserver(([entry]) => {
    width.value = fitting(entry?.contentRect.width ?? 0);
  });
  observer.observe(room);
  const mounted = mountPicture(host);

  // The scene depends on the theme alone, not on other colours of the page.
  const theme = computed(() => look.value.theme);
  const printing = signal(false);
  const sceneOf = ({ numbers, spec }: Computed): Scene | undefined => {
    try {
      return figure.kind.scene(numbers, spec, { width: width.value, maxHeight: settings.value.maxHeight, theme: theme.value });
    } catch (thrown) {
      // Not from within a computation of signals.
      queueMicrotask(() => broken(thrown));
      return undefined;
    }
  };
  const scene = computed((): Scene | undefined => {
    const latest = figure.computed.value;
    return latest && width.value >= 40 ? sceneOf(latest) : undefined;
  });
  const overlay = (shown: Scene, cursor: Cursor) => {
    const marks = shown.overlay(cursor);
    return marks.length > 0 ? { ...shown.picture, marks: [...shown.picture.marks, ...marks] } : shown.picture;
  };
  let hasBox = false;
  const stop = effect(() => {
    const isFar = !near.value && !printing.value;
    // A picture that was waited for far from sight needs its box at least.
    const shown = isFar && hasBox ? undefined : scene.value;
    hasBox ||= shown !== undefined;
    if (shown) mounted.update(overlay(shown, figure.cursor.value), { ...look.value, glide: false, isUrgent: printing.value });
    if (isFar) mounted.rest();
  });

  const same = (a: Cursor, b: Cursor): boolean => {
    const names = Object.keys(a);
    return names.length === Object.keys(b).length && names.every((name) => a[name] === b[name]);
  };
  const point = (next: Cursor): void => {
    if (!same(next, figure.cursor.peek())) figure.cursor.value = next;
  };
  const at = (event: PointerEvent): void => {
    const { left, top } = host.getBoundingClientRect();
    const found = scene.peek()?.hit(event.clientX - left, event.clientY - top);
    if (found) point(found);
  };
  const print = (now: boolean): void => {
    printing.value = now;
  };
  const end = new AbortController();
  const options = { signal: end.signal };
  window.addEventListener('beforeprint', () => print(true), options);
  window.addEventListener('afterprint', () => print(false), options);
  host.addEventListener('pointermove', at, options);
  host.addEventListener('pointerdown', at, options);
  // After a touch, keep pointing.
  host.addEventListener('pointerleave', (event) => event.pointerType !== 'touch' && point({}), options);
  room.addEventListener(
    'keydown',
    (event) => {
      const step = STEPS[event.key];
      const shown = scene.peek();
      if (event.key === 'Escape') point({});
      if (!step || !shown || event.altKey || event.ctrlKey || event.metaKey || event.target !== room) return;
      event.preventDefault();
      point(shown.step(figure.cursor.peek(), ...step));
      stepped();
    },
    options,
  );
  return {
    width,
    scene,
    dispose() {
      end.abort();
      observer.disconnect();
      stop();
      mounted.dispose();
    },
  };
}
