// Errors of the page itself, for example while drawing. They belong to no control, and the rest of the page keeps working.
import { signal } from '@preact/signals-core';
import { messageOf } from '../../engine/errors.ts';

/** The latest error of the page as sentences; undefined when there is none. */
export const pageError = signal<string | undefined>(undefined);

export function reportPageError(thrown: unknown): void {
  console.error(thrown);
  const what = messageOf(thrown);
  pageError.value = `Internal error: ${what}. Parts of the page may be out of date.`;
}

/** Draws and reports exceptions: one that escaped an effect would reach the code that changed the signal. */
export function drawSafely(draw: () => void): void {
  try {
    draw();
  } catch (thrown) {
    reportPageError(thrown);
  }
}

/** Reports errors in frames, timers and promises too. Browser notices, such as ResizeObserver loops, carry no error object. */
export function listenForPageErrors(): void {
  addEventListener('error', ({ error }) => {
    if (error) reportPageError(error);
  });
  addEventListener('unhandledrejection', ({ reason }) => reportPageError(reason));
}
