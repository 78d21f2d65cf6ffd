// Errors in the page itself, such as exceptions while drawing. The rest of the page continues to work.
import { signal } from '@preact/signals-core';
import { messageOf } from '../../engine/errors.ts';

/** The message of the page's latest error; undefined if none has occurred since the last computation. */
export const pageError = signal<string | undefined>(undefined);

export function reportPageError(thrown: unknown): void {
  console.error(thrown);
  const errorText = messageOf(thrown);
  pageError.value = `Internal error: ${errorText}. Parts of this page may be out of date.`;
}

/** Calls `draw` and reports its exceptions, which would otherwise propagate to the code that set a signal. */
export function drawSafely(draw: () => void): void {
  try {
    draw();
  } catch (thrown) {
    reportPageError(thrown);
  }
}

/**
 * Reports uncaught errors in animation frames, timers and promises. Ignores browser notices without an error object, such as those about
 * ResizeObserver loops.
 */
export function listenForPageErrors(): void {
  addEventListener('error', ({ error }) => {
    if (error) reportPageError(error);
  });
  addEventListener('unhandledrejection', ({ reason }) => reportPageError(reason));
}
