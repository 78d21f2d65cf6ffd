// Draws a figure's picture, and handles its cursor, pointer input and keys.
import { type ReadonlySignal, signal } from '@preact/signals-core';
import { mountPicture } from '../../charts/render/screen.ts';
import type { Cursor, Scene } from '../../charts/scene.ts';
import type { RawFields } from '../contract/spec.ts';
import { createSceneSource, drawOnChange, type SceneOptions, type SceneSource } from '../runtime/scene-source.ts';
import { listActions } from './actions.ts';
import type { PictureDrag } from './picture-drag.ts';
import { getPointerPosition } from './pointer-place.ts';

const ARROW_STEPS: { readonly [key: string]: readonly [number, number] } = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};
/** Number of steps by which each key changes the value at the cursor. */
const NUDGE_STEPS: { readonly [key: string]: number } = { '+': 1, '=': 1, '-': -1, '−': -1 };
const ALT_NUDGE_STEPS: { readonly [key: string]: number } = { ArrowUp: 1, ArrowDown: -1 };

export type Surface = SceneSource;

export interface PictureSurfaceOptions extends SceneOptions {
  /** Whether the figure is at most one screen away from the viewport. Otherwise, the picture keeps its size, but its pixels are freed. */
  readonly isNear: ReadonlySignal<boolean>;
  readonly locked: readonly string[];
  change(fields: RawFields): void;
  /** Announces the readout at the cursor after a key has moved the cursor or changed the value there. */
  announceStep(): void;
  /** Called when a key press could not change the value at the cursor. */
  notifyRejected(): void;
}

/** Draws a figure's scene in `host`. The scene is as wide as the parent of `host`. */
export function createPictureSurface(host: HTMLElement, options: PictureSurfaceOptions): Surface {
  const { figure, look, isNear, locked, change, announceStep, notifyRejected, reportError } = options;
  const container = host.parentElement as HTMLElement;
  const dragRange = signal<readonly [number, number] | undefined>(undefined);
  const { width, scene, measure, dispose: endScene } = createSceneSource(container, { ...options, dragRange });
  const mountedPicture = mountPicture(host, figure.kind.question);
  const isPrinting = signal(false);
  const addOverlay = (shownScene: Scene, cursor: Cursor) => {
    const marks = shownScene.overlay(cursor);
    return marks.length > 0 ? { ...shownScene.picture, marks: [...shownScene.picture.marks, ...marks] } : shownScene.picture;
  };
  let hasBox = false;
  const draw = (): void => {
    const isFar = !isNear.value && !isPrinting.value;
    // Results may arrive before the browser reports the first size. Without measuring here, the picture would be empty for one frame, and
    // the content below it would shift.
    if (figure.shownResult.value && !isFar && width.peek() === 0) measure();
    // A picture far from the viewport needs no scene, only its size.
    const currentScene = isFar && hasBox ? undefined : scene.value;
    // While the result is only pending, the scene is created but not drawn.
    const shownScene = figure.shownResult.value && currentScene;
    hasBox ||= shownScene !== undefined;
    if (shownScene) mountedPicture.update(addOverlay(shownScene, figure.cursor.value), { ...look.value, isUrgent: isPrinting.value });
    if (isFar) mountedPicture.freePixels();
  };
  const stopDrawing = drawOnChange(draw, reportError);

  const isSameCursor = (a: Cursor, b: Cursor): boolean => {
    const names = Object.keys(a);
    return names.length === Object.keys(b).length && names.every((name) => a[name] === b[name]);
  };
  const setCursor = (nextCursor: Cursor): void => {
    if (!isSameCursor(nextCursor, figure.cursor.peek())) figure.cursor.value = nextCursor;
  };
  const listeners = new AbortController();
  const announceWhenReady = (): void => void figure.ready().then(announceStep, () => {});
  let drag: PictureDrag | undefined;
  let loadingDrag: Promise<void> | undefined;
  if (figure.kind.dragging && !locked.includes(figure.kind.dragging.field)) {
    loadingDrag = import('./picture-drag.ts').then(({ createPictureDrag }) => {
      if (!listeners.signal.aborted)
        drag = createPictureDrag({ figure, host, scene, isNear, dragRange, locked, change, announceWhenReady });
    }, reportError);
  }
  const findCursor = (event: MouseEvent): Cursor | undefined => scene.peek()?.hit(...getPointerPosition(host, event));
  const followPointer = (event: PointerEvent): void => {
    const cursor = drag?.isDragging ? undefined : findCursor(event);
    if (cursor) setCursor(cursor);
  };
  const changeFields = (fields: RawFields | undefined): boolean => {
    if (!fields || Object.keys(fields).some((name) => locked.includes(name))) return false;
    change(fields);
    announceWhenReady();
    return true;
  };
  const chooseAt = (cursor: Cursor | undefined): boolean => {
    const latestResult = figure.computed.peek();
    return changeFields(latestResult && cursor && figure.kind.choose?.(latestResult.results, latestResult.spec, cursor));
  };
  /** Handles all keys except those that move the cursor. */
  const handleKey = ({ key, altKey }: KeyboardEvent): boolean => {
    const nudgeSteps = (altKey ? ALT_NUDGE_STEPS : NUDGE_STEPS)[key];
    if (loadingDrag && nudgeSteps !== undefined) {
      // Handles the key press once the drag module is loaded.
      loadingDrag.then(() => drag && !drag.nudge(nudgeSteps) && notifyRejected());
      return true;
    }
    const latestResult = figure.computed.peek();
    if (!latestResult || altKey) return false;
    const action = listActions(figure, latestResult, locked).find(({ keys, disabled }) => keys?.includes(key) && !disabled);
    if (action) return changeFields(action.fields(figure.cursor.peek()));
    return (key === 'Enter' || key === ' ') && chooseAt(figure.cursor.peek());
  };
  const setPrinting = (isEnabled: boolean): void => {
    isPrinting.value = isEnabled;
  };
  const listenerOptions = { signal: listeners.signal };
  window.addEventListener('beforeprint', () => setPrinting(true), listenerOptions);
  window.addEventListener('afterprint', () => setPrinting(false), listenerOptions);
  host.addEventListener('pointermove', followPointer, listenerOptions);
  host.addEventListener('pointerdown', (event) => drag?.begin(event) || followPointer(event), listenerOptions);
  host.addEventListener('click', (event) => chooseAt(findCursor(event)), listenerOptions);
  // After a touch, the cursor stays in place.
  host.addEventListener('pointerleave', (event) => event.pointerType !== 'touch' && !drag?.isDragging && setCursor({}), listenerOptions);
  container.addEventListener(
    'keydown',
    (event) => {
      const arrowStep = ARROW_STEPS[event.key];
      // Measures first, so that a key press before the first frame works.
      if (arrowStep && !scene.peek()) measure();
      const shownScene = scene.peek();
      if (event.key === 'Escape') setCursor({});
      if (event.target === container && !event.ctrlKey && !event.metaKey && handleKey(event)) {
        event.preventDefault();
        return;
      }
      if (!arrowStep || !shownScene || event.altKey || event.ctrlKey || event.metaKey || event.target !== container) return;
      event.preventDefault();
      setCursor(shownScene.step(figure.cursor.peek(), ...arrowStep));
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
