// Creates a figure's scene for the width of its container, as a signal.
import { computed, effect, type ReadonlySignal, signal } from '@preact/signals-core';
import type { Scene } from '../../charts/scene.ts';
import type { Look } from '../contract/theme.ts';
import { drawScene } from '../contract/untrained.ts';
import type { Computed, Figure } from './controller.ts';

export interface SceneSource {
  readonly width: ReadonlySignal<number>;
  /** The scene for the latest results, size and theme; computed lazily. */
  readonly scene: ReadonlySignal<Scene | undefined>;
  dispose(): void;
}

/** A scene source that can measure its container before the first frame. Measuring forces a synchronous layout. */
export interface MeasurableSceneSource extends SceneSource {
  measure(): void;
}

export interface SceneOptions {
  readonly figure: Figure;
  readonly look: ReadonlySignal<Look>;
  readonly settings: ReadonlySignal<{ readonly maxHeight: number | undefined }>;
  /** Maximum width in px: the width of the static picture that the live picture replaces. */
  readonly maxWidth: number | undefined;
  /** The width of the container in px, if it is known before measurement. */
  readonly expectedWidth?: number | undefined;
  /** The range of values that must stay in view during a drag. */
  readonly dragRange?: ReadonlySignal<readonly [number, number] | undefined>;
  reportError(thrown: unknown): void;
}

export function createSceneSource(
  container: HTMLElement,
  { figure, look, settings, maxWidth = Number.POSITIVE_INFINITY, expectedWidth = 0, dragRange, reportError }: SceneOptions,
): MeasurableSceneSource {
  // The observer reports the width before the first frame; reading it here would force a layout for every figure of a page.
  const width = signal(Math.floor(Math.min(expectedWidth, maxWidth)));
  const setWidth = (measuredWidth: number): void => {
    // Keeps the previous width while the element is hidden, when its measured width is 0.
    if (measuredWidth > 0) width.value = Math.floor(Math.min(measuredWidth, maxWidth));
  };
  const resizeObserver = new ResizeObserver(([entry]) => setWidth(entry?.contentRect.width ?? 0));
  resizeObserver.observe(container);
  // A separate signal, so that the scene is not recomputed when only the palette changes.
  const theme = computed(() => look.value.theme);
  const createScene = ({ results, spec }: Computed): Scene | undefined => {
    try {
      const { maxHeight } = settings.value;
      const frame = { width: width.value, maxHeight, theme: theme.value, dragRange: dragRange?.value };
      return drawScene(figure.kind, { results, spec }, frame, figure.encodings.value);
    } catch (thrown) {
      // Deferred, because a computed signal must not set other signals.
      queueMicrotask(() => reportError(thrown));
      return undefined;
    }
  };
  const latestResult = computed(() => figure.shownResult.value ?? figure.pendingResult.value);
  const scene = computed((): Scene | undefined => (latestResult.value && width.value >= 40 ? createScene(latestResult.value) : undefined));
  return { width, scene, measure: () => setWidth(container.clientWidth), dispose: () => resizeObserver.disconnect() };
}

/**
 * Runs `draw` now and whenever a signal that it reads changes. Its exceptions are passed to `reportError` instead of being thrown in the
 * code that changed the signal.
 */
export const drawOnChange = (draw: () => void, reportError: (thrown: unknown) => void): (() => void) =>
  effect(() => {
    try {
      draw();
    } catch (thrown) {
      // Deferred, because the effect must not depend on the signals that `reportError` reads.
      queueMicrotask(() => reportError(thrown));
    }
  });
