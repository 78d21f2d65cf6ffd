// Errors of the page itself, such as exceptions while drawing. The rest of the page continues to work.
import { signal } from '@preact/signals-core';
import { messageOf } from '../../engine/errors.ts';

/** The latest error of the page as sentences; undefined if no error has occurred. */
export const pageError = signal<string | undefined>(undefined);

export function reportPageError(thrown: unknown): void {
  console.error(thrown);
  const errorText = messageOf(thrown);
  pageError.value = `Internal error: ${errorText}. Parts of this page may be out of date.`;
}

/** Calls `draw` and reports exceptions. Otherwise they would propagate to the code that changed a signal. */
export function drawSafely(draw: () => void): void {
  try {
    draw();
  } catch (thrown) {
    reportPageError(thrown);
  }
}

/**
 * Also reports errors in animation frames, timers and promises. Browser notices without an error object, such as ResizeObserver loops,
 * are ignored.
 */
export function listenForPageErrors(): void {
  addEventListener('error', ({ error }) => {
    if (error) reportPageError(error);
  });
  addEventListener('unhandledrejection', ({ reason }) => reportPageError(reason));
}
