// Errors of the page itself, such as in drawing. They belong to no control, and the rest of the page keeps working.
import { signal } from '@preact/signals-core';
import { messageOf } from '../../engine/errors.ts';

/** The latest error of the page as sentences; undefined when there is none. */
export const pageError = signal<string | undefined>(undefined);

export function reportPageError(thrown: unknown): void {
  console.error(thrown);
  const errorText = messageOf(thrown);
  pageError.value = `Internal error: ${errorText}. Parts of the page may be out of date.`;
}

/** Draws and reports exceptions, which would otherwise reach the code that changed the signal. */
export function drawSafely(draw: () => void): void {
  try {
    draw();
  } catch (thrown) {
    reportPageError(thrown);
  }
}

/** Also reports errors in frames, timers and promises. Notices of the browser, such as ResizeObserver loops, have no error object. */
export function listenForPageErrors(): void {
  addEventListener('error', ({ error }) => {
    if (error) reportPageError(error);
  });
  addEventListener('unhandledrejection', ({ reason }) => reportPageError(reason));
}
