// Lets the user change values in a picture by dragging a point up or down, or with the keys + and −. A ring marks the point.
import { effect, type ReadonlySignal, type Signal } from '@preact/signals-core';
import type { Cursor, DragHandle, Scene } from '../../charts/scene.ts';
import type { RawFields } from '../contract/spec.ts';
import type { Figure } from '../runtime/controller.ts';
import { getPageScale, getPointerPosition } from './pointer-place.ts';

/** A press during which the pointer moves less than this distance in CSS px is a click. */
const CLICK_TOLERANCE_PX = 3;

export interface PictureDragOptions {
  readonly figure: Figure;
  readonly host: HTMLElement;
  readonly scene: ReadonlySignal<Scene | undefined>;
  readonly isNear: ReadonlySignal<boolean>;
  /** The range of values that must stay in view during a drag. */
  readonly dragRange: Signal<readonly [number, number] | undefined>;
  readonly locked: readonly string[];
  change(fields: RawFields): void;
  /** Announces the new value when it has been computed, after a key press or at the end of a drag. */
  announceWhenReady(): void;
}

export interface PictureDrag {
  /**
   * Starts dragging the item under the pointer.
   * @returns false if there is no such item
   */
  begin(event: PointerEvent): boolean;
  /**
   * Moves the point at the cursor by a number of steps.
   * @returns false if the point cannot be moved
   */
  nudge(steps: number): boolean;
  readonly isDragging: boolean;
  dispose(): void;
}

export function createPictureDrag({
  figure,
  host,
  scene,
  isNear,
  dragRange,
  locked,
  change,
  announceWhenReady,
}: PictureDragOptions): PictureDrag | undefined {
  const { dragging } = figure.kind;
  if (!dragging || locked.includes(dragging.field)) return undefined;
  const createFields = (cursor: Cursor, value: number): RawFields | undefined => {
    const latestResult = figure.computed.peek();
    return latestResult && dragging.fields(latestResult.results, latestResult.spec, cursor, value);
  };
  /** Returns the drag handle at a cursor; undefined if there is no editable value. */
  const findGrip = (currentScene: Scene | undefined, cursor: Cursor): DragHandle | undefined => {
    const grip = currentScene?.dragHandle?.(cursor);
    return grip && createFields(cursor, grip.value) ? grip : undefined;
  };

  const ring = host.ownerDocument.createElement('div');
  ring.className = 'grip';
  ring.hidden = true;
  host.append(ring);
  const stopRingEffect = effect(() => {
    const grip = isNear.value ? findGrip(scene.value, figure.cursor.value) : undefined;
    ring.hidden = grip === undefined;
    if (grip) ring.style.transform = `translate(${grip.x.toFixed(1)}px, ${grip.y.toFixed(1)}px)`;
  });

  let drag: { readonly grip: DragHandle; readonly cursor: Cursor; readonly startY: number; hasMoved: boolean } | undefined;
  /** The value set by the latest key press, until it has been computed. The next key press starts from this value. */
  let pendingChange: { readonly cursor: Cursor; readonly value: number } | undefined;
  const stopPendingEffect = effect(() => {
    void figure.computed.value;
    pendingChange = undefined;
  });

  const onPointerMove = (event: PointerEvent): void => {
    if (!drag) return;
    if (!drag.hasMoved && Math.abs(event.clientY - drag.startY) < CLICK_TOLERANCE_PX) return;
    drag.hasMoved = true;
    const fields = createFields(drag.cursor, drag.grip.valueAt(drag.grip.y + (event.clientY - drag.startY) / getPageScale(host)));
    if (fields) change(fields);
  };
  const endDrag = (): void => {
    if (!drag) return;
    const { hasMoved } = drag;
    drag = undefined;
    dragRange.value = undefined;
    delete host.dataset.dragged;
    if (hasMoved) announceWhenReady();
  };
  const listeners = new AbortController();
  for (const [name, listener] of [
    ['pointermove', onPointerMove],
    ['pointerup', endDrag],
    ['pointercancel', endDrag],
  ] as const)
    host.addEventListener(name, listener, { signal: listeners.signal });

  return {
    begin(event) {
      const isRing = event.target === ring;
      // Touching scrolls the page, unless the touch starts on the ring.
      if (event.button !== 0 || (event.pointerType === 'touch' && !isRing)) return false;
      const shownScene = scene.peek();
      const cursor = isRing ? figure.cursor.peek() : shownScene?.hit(...getPointerPosition(host, event));
      const grip = cursor && findGrip(shownScene, cursor);
      if (!cursor || !grip) return false;
      figure.cursor.value = cursor;
      drag = { grip, cursor, startY: event.clientY, hasMoved: false };
      dragRange.value = grip.range;
      host.dataset.dragged = '';
      host.setPointerCapture(event.pointerId);
      return true;
    },
    nudge(steps) {
      const shownScene = scene.peek();
      let cursor = figure.cursor.peek();
      if (shownScene && !shownScene.dragHandle?.(cursor)) cursor = shownScene.step(cursor, 0, 1);
      const grip = shownScene?.dragHandle?.(cursor);
      if (!grip) return false;
      figure.cursor.value = cursor;
      const isRepeated = pendingChange && Object.entries(pendingChange.cursor).every(([axis, at]) => cursor[axis] === at);
      const [minValue, maxValue] = grip.limits ?? [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY];
      // Clamps the value, because steps beyond a limit would otherwise accumulate.
      const value = Math.min(
        maxValue,
        Math.max(minValue, (isRepeated && pendingChange ? pendingChange.value : grip.value) + steps * grip.step),
      );
      const fields = createFields(cursor, value);
      if (!fields) return false;
      change(fields);
      pendingChange = { cursor, value };
      announceWhenReady();
      return true;
    },
    get isDragging() {
      return drag !== undefined;
    },
    dispose() {
      listeners.abort();
      stopRingEffect();
      stopPendingEffect();
      ring.remove();
    },
  };
}
