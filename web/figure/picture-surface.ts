// The picture of a figure on the page: a scene, the cursor over it, pointer and arrow keys.
import { type ReadonlySignal, signal } from '@preact/signals-core';
import { mountPicture } from '../views/render/screen.ts';
import type { Cursor, Scene } from '../views/scene.ts';
import { drawing, type SceneOptions, type SceneSource, sceneSource } from './scene-source.ts';

const STEPS: { readonly [key: string]: readonly [number, number] } = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

/** What shows a figure on the page. */
export type Surface = SceneSource;

export interface SurfaceOptions extends SceneOptions {
  /** Whether the figure is within two screens of sight: further away it keeps its box and lets go of its pixels. */
  readonly near: ReadonlySignal<boolean>;
  /** An arrow key has moved the cursor. */
  stepped(): void;
}

/** Shows the scene of a figure in `host`, at the width of `host`'s parent. */
export function pictureSurface(host: HTMLElement, options: SurfaceOptions): Surface {
  const { figure, look, near, stepped, broken } = options;
  const room = host.parentElement as HTMLElement;
  const { width, scene, dispose: endScene } = sceneSource(room, options);
  const mounted = mountPicture(host);
  const printing = signal(false);
  const overlay = (shown: Scene, cursor: Cursor) => {
    const marks = shown.overlay(cursor);
    return marks.length > 0 ? { ...shown.picture, marks: [...shown.picture.marks, ...marks] } : shown.picture;
  };
  let hasBox = false;
  const draw = (): void => {
    const isFar = !near.value && !printing.value;
    // A picture that was waited for far from sight needs its box at least.
    const shown = isFar && hasBox ? undefined : scene.value;
    hasBox ||= shown !== undefined;
    if (shown) mounted.update(overlay(shown, figure.cursor.value), { ...look.value, glide: false, isUrgent: printing.value });
    if (isFar) mounted.rest();
  };
  const stop = drawing(draw, broken);

  const same = (a: Cursor, b: Cursor): boolean => {
    const names = Object.keys(a);
    return names.length === Object.keys(b).length && names.every((name) => a[name] === b[name]);
  };
  const point = (next: Cursor): void => {
    if (!same(next, figure.cursor.peek())) figure.cursor.value = next;
  };
  const at = (event: PointerEvent): void => {
    const { left, top, width: across } = host.getBoundingClientRect();
    // A page may zoom or scale its figures, as slides are.
    const scale = across / host.offsetWidth || 1;
    const found = scene.peek()?.hit((event.clientX - left) / scale, (event.clientY - top) / scale);
    if (found) point(found);
  };
  const print = (now: boolean): void => {
    printing.value = now;
  };
  const end = new AbortController();
  const listening = { signal: end.signal };
  window.addEventListener('beforeprint', () => print(true), listening);
  window.addEventListener('afterprint', () => print(false), listening);
  host.addEventListener('pointermove', at, listening);
  host.addEventListener('pointerdown', at, listening);
  // After a touch, keep pointing.
  host.addEventListener('pointerleave', (event) => event.pointerType !== 'touch' && point({}), listening);
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
    listening,
  );
  return {
    width,
    scene,
    dispose() {
      end.abort();
      endScene();
      stop();
      mounted.dispose();
    },
  };
}
