// The picture of a figure on the page: a scene, the cursor over it, pointer and arrow keys.
import { type ReadonlySignal, signal } from '@preact/signals-core';
import { mountPicture } from '../../charts/render/screen.ts';
import type { Cursor, Scene } from '../../charts/scene.ts';
import type { RawFields } from '../contract/spec.ts';
import { drawing, type SceneOptions, type SceneSource, sceneSource } from '../runtime/scene-source.ts';
import { actionsOf } from './actions.ts';
import type { PictureDrag } from './picture-drag.ts';
import { placeIn } from './pointer-place.ts';

const STEPS: { readonly [key: string]: readonly [number, number] } = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};
/** Keys that change an editable number, in steps. */
const NUDGES: { readonly [key: string]: number } = { '+': 1, '=': 1, '-': -1, '−': -1 };
const ALT_NUDGES: { readonly [key: string]: number } = { ArrowUp: 1, ArrowDown: -1 };

/** The surface of a figure on the page. */
export type Surface = SceneSource;

export interface SurfaceOptions extends SceneOptions {
  /** Whether the figure is within one screen of the viewport; farther away the picture keeps its box but frees its pixels. */
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
  const room = host.parentElement as HTMLElement;
  const dragRange = signal<readonly [number, number] | undefined>(undefined);
  const { width, scene, measure, dispose: endScene } = sceneSource(room, { ...options, heldRange: dragRange });
  const mounted = mountPicture(host, figure.kind.question);
  const printing = signal(false);
  const overlay = (shown: Scene, cursor: Cursor) => {
    const marks = shown.overlay(cursor);
    return marks.length > 0 ? { ...shown.picture, marks: [...shown.picture.marks, ...marks] } : shown.picture;
  };
  let hasBox = false;
  const draw = (): void => {
    const isFar = !near.value && !printing.value;
    // Without this measurement, numbers that arrive before the browser's first size report would leave the picture empty for a frame, and
    // the following content would jump.
    if (figure.shown.value && !isFar && width.peek() === 0) measure();
    // A picture far from the viewport that a program awaits needs only its box.
    const created = isFar && hasBox ? undefined : scene.value;
    // While numbers are only `pending`, the scene is created but not drawn.
    const shown = figure.shown.value && created;
    hasBox ||= shown !== undefined;
    if (shown) mounted.update(overlay(shown, figure.cursor.value), { ...look.value, isUrgent: printing.value });
    if (isFar) mounted.rest();
  };
  const stop = drawing(draw, reportError);

  const same = (a: Cursor, b: Cursor): boolean => {
    const names = Object.keys(a);
    return names.length === Object.keys(b).length && names.every((name) => a[name] === b[name]);
  };
  const point = (next: Cursor): void => {
    if (!same(next, figure.cursor.peek())) figure.cursor.value = next;
  };
  const end = new AbortController();
  /** The latest requested numbers are announced when they are computed. */
  const speakWhenReady = (): void => void figure.ready().then(announceStep, () => {});
  let drag: PictureDrag | undefined;
  let coming: Promise<void> | undefined;
  if (figure.kind.dragging && !locked.includes(figure.kind.dragging.field)) {
    coming = import('./picture-drag.ts').then(({ pictureDrag }) => {
      if (!end.signal.aborted) drag = pictureDrag({ figure, host, scene, near, dragRange, locked, change, speakWhenReady });
    }, reportError);
  }
  const under = (event: MouseEvent): Cursor | undefined => scene.peek()?.hit(...placeIn(host, event));
  const at = (event: PointerEvent): void => {
    const cursor = drag?.isHeld ? undefined : under(event);
    if (cursor) point(cursor);
  };
  const set = (fields: RawFields | undefined): boolean => {
    if (!fields || Object.keys(fields).some((name) => locked.includes(name))) return false;
    change(fields);
    speakWhenReady();
    return true;
  };
  const choose = (cursor: Cursor | undefined): boolean => {
    const latest = figure.computed.peek();
    return set(latest && cursor && figure.kind.choose?.(latest.numbers, latest.spec, cursor));
  };
  /** Handles keys beyond those of the cursor. */
  const act = ({ key, altKey }: KeyboardEvent): boolean => {
    const nudge = (altKey ? ALT_NUDGES : NUDGES)[key];
    if (coming && nudge !== undefined) {
      // A key is queued until the drag module is loaded.
      coming.then(() => drag && !drag.nudge(nudge) && notifyRejected());
      return true;
    }
    const latest = figure.computed.peek();
    if (!latest || altKey) return false;
    const action = actionsOf(figure, latest, locked).find(({ keys, disabled }) => keys?.includes(key) && !disabled);
    if (action) return set(action.fields(figure.cursor.peek()));
    return (key === 'Enter' || key === ' ') && choose(figure.cursor.peek());
  };
  const print = (now: boolean): void => {
    printing.value = now;
  };
  const listening = { signal: end.signal };
  window.addEventListener('beforeprint', () => print(true), listening);
  window.addEventListener('afterprint', () => print(false), listening);
  host.addEventListener('pointermove', at, listening);
  host.addEventListener('pointerdown', (event) => drag?.begin(event) || at(event), listening);
  host.addEventListener('click', (event) => choose(under(event)), listening);
  // After a touch, the cursor stays.
  host.addEventListener('pointerleave', (event) => event.pointerType !== 'touch' && !drag?.isHeld && point({}), listening);
  room.addEventListener(
    'keydown',
    (event) => {
      const step = STEPS[event.key];
      // Measures first, so that a key press before the first frame works.
      if (step && !scene.peek()) measure();
      const shown = scene.peek();
      if (event.key === 'Escape') point({});
      if (event.target === room && !event.ctrlKey && !event.metaKey && act(event)) {
        event.preventDefault();
        return;
      }
      if (!step || !shown || event.altKey || event.ctrlKey || event.metaKey || event.target !== room) return;
      event.preventDefault();
      point(shown.step(figure.cursor.peek(), ...step));
      announceStep();
    },
    listening,
  );
  return {
    width,
    scene,
    dispose() {
      end.abort();
      drag?.dispose();
      endScene();
      stop();
      mounted.dispose();
    },
  };
}
