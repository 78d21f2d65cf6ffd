// Shows the picture of a figure, and handles the cursor, the pointer and keys.
import { type ReadonlySignal, signal } from '@preact/signals-core';
import { mountPicture } from '../../charts/render/screen.ts';
import type { Cursor, Scene } from '../../charts/scene.ts';
import type { RawFields } from '../contract/spec.ts';
import { drawing, type SceneOptions, type SceneSource, sceneSource } from '../runtime/scene-source.ts';
import { actionsOf } from './actions.ts';
import type { PictureDrag } from './picture-drag.ts';
import { placeIn } from './pointer-place.ts';

const ARROW_STEPS: { readonly [key: string]: readonly [number, number] } = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};
/** How many steps each key adds to an editable number. */
const NUDGES: { readonly [key: string]: number } = { '+': 1, '=': 1, '-': -1, '−': -1 };
const ALT_NUDGES: { readonly [key: string]: number } = { ArrowUp: 1, ArrowDown: -1 };

export type Surface = SceneSource;

export interface SurfaceOptions extends SceneOptions {
  /** Whether the figure is within one screen of the viewport. Otherwise the picture keeps its box, but frees its pixels. */
  readonly near: ReadonlySignal<boolean>;
  readonly locked: readonly string[];
  /** Sets fields on behalf of the reader. */
  change(fields: RawFields): void;
  /** Announces the readout at the cursor, after a key has moved the cursor or changed the number there. */
  announceStep(): void;
  /** Called when a key could not change the number at the cursor. */
  notifyRejected(): void;
}

/** Shows the scene of a figure in `host`, at the width of `host`'s parent. */
export function pictureSurface(host: HTMLElement, options: SurfaceOptions): Surface {
  const { figure, look, near, locked, change, announceStep, notifyRejected, reportError } = options;
  const container = host.parentElement as HTMLElement;
  const dragRange = signal<readonly [number, number] | undefined>(undefined);
  const { width, scene, measure, dispose: endScene } = sceneSource(container, { ...options, dragRange });
  const mountedPicture = mountPicture(host, figure.kind.question);
  const printing = signal(false);
  const overlay = (shown: Scene, cursor: Cursor) => {
    const marks = shown.overlay(cursor);
    return marks.length > 0 ? { ...shown.picture, marks: [...shown.picture.marks, ...marks] } : shown.picture;
  };
  let hasBox = false;
  const draw = (): void => {
    const isFar = !near.value && !printing.value;
    // Numbers may arrive before the browser reports the first size. Without this measurement, the picture would be empty for a frame, and the
    // following content would move.
    if (figure.shown.value && !isFar && width.peek() === 0) measure();
    // A picture far from the viewport needs only its box.
    const currentScene = isFar && hasBox ? undefined : scene.value;
    // While numbers are only `pending`, the scene is created but not drawn.
    const shown = figure.shown.value && currentScene;
    hasBox ||= shown !== undefined;
    if (shown) mountedPicture.update(overlay(shown, figure.cursor.value), { ...look.value, isUrgent: printing.value });
    if (isFar) mountedPicture.freePixels();
  };
  const stopDrawing = drawing(draw, reportError);

  const isSameCursor = (a: Cursor, b: Cursor): boolean => {
    const names = Object.keys(a);
    return names.length === Object.keys(b).length && names.every((name) => a[name] === b[name]);
  };
  const setCursor = (next: Cursor): void => {
    if (!isSameCursor(next, figure.cursor.peek())) figure.cursor.value = next;
  };
  const listeners = new AbortController();
  /** Announces the readout as soon as the requested numbers are computed. */
  const speakWhenReady = (): void => void figure.ready().then(announceStep, () => {});
  let drag: PictureDrag | undefined;
  let loadingDrag: Promise<void> | undefined;
  if (figure.kind.dragging && !locked.includes(figure.kind.dragging.field)) {
    loadingDrag = import('./picture-drag.ts').then(({ pictureDrag }) => {
      if (!listeners.signal.aborted) drag = pictureDrag({ figure, host, scene, near, dragRange, locked, change, speakWhenReady });
    }, reportError);
  }
  const cursorUnder = (event: MouseEvent): Cursor | undefined => scene.peek()?.hit(...placeIn(host, event));
  const pointAt = (event: PointerEvent): void => {
    const cursor = drag?.isHeld ? undefined : cursorUnder(event);
    if (cursor) setCursor(cursor);
  };
  const changeFields = (fields: RawFields | undefined): boolean => {
    if (!fields || Object.keys(fields).some((name) => locked.includes(name))) return false;
    change(fields);
    speakWhenReady();
    return true;
  };
  const chooseAt = (cursor: Cursor | undefined): boolean => {
    const latest = figure.computed.peek();
    return changeFields(latest && cursor && figure.kind.choose?.(latest.numbers, latest.spec, cursor));
  };
  /** Handles keys other than those that move the cursor. */
  const handleKey = ({ key, altKey }: KeyboardEvent): boolean => {
    const nudgeSteps = (altKey ? ALT_NUDGES : NUDGES)[key];
    if (loadingDrag && nudgeSteps !== undefined) {
      // The key takes effect when the drag module is loaded.
      loadingDrag.then(() => drag && !drag.nudge(nudgeSteps) && notifyRejected());
      return true;
    }
    const latest = figure.computed.peek();
    if (!latest || altKey) return false;
    const action = actionsOf(figure, latest, locked).find(({ keys, disabled }) => keys?.includes(key) && !disabled);
    if (action) return changeFields(action.fields(figure.cursor.peek()));
    return (key === 'Enter' || key === ' ') && chooseAt(figure.cursor.peek());
  };
  const setPrinting = (isPrinting: boolean): void => {
    printing.value = isPrinting;
  };
  const listenerOptions = { signal: listeners.signal };
  window.addEventListener('beforeprint', () => setPrinting(true), listenerOptions);
  window.addEventListener('afterprint', () => setPrinting(false), listenerOptions);
  host.addEventListener('pointermove', pointAt, listenerOptions);
  host.addEventListener('pointerdown', (event) => drag?.begin(event) || pointAt(event), listenerOptions);
  host.addEventListener('click', (event) => chooseAt(cursorUnder(event)), listenerOptions);
  // The cursor is kept after a touch.
  host.addEventListener('pointerleave', (event) => event.pointerType !== 'touch' && !drag?.isHeld && setCursor({}), listenerOptions);
  container.addEventListener(
    'keydown',
    (event) => {
      const arrowStep = ARROW_STEPS[event.key];
      // Measures first, so that a key press before the first frame works.
      if (arrowStep && !scene.peek()) measure();
      const shown = scene.peek();
      if (event.key === 'Escape') setCursor({});
      if (event.target === container && !event.ctrlKey && !event.metaKey && handleKey(event)) {
        event.preventDefault();
        return;
      }
      if (!arrowStep || !shown || event.altKey || event.ctrlKey || event.metaKey || event.target !== container) return;
      event.preventDefault();
      setCursor(shown.step(figure.cursor.peek(), ...arrowStep));
      announceStep();
    },
    listenerOptions,
  );
  return {
    width,
    scene,
    dispose() {
      listeners.abort();
      drag?.dispose();
      endScene();
      stopDrawing();
      mountedPicture.dispose();
    },
  };
}
