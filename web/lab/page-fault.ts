// What goes wrong in the page itself, as when it draws. No control is to blame, and the rest of the page goes on.
import { signal } from '@preact/signals-core';

/** The newest fault of the page, as sentences; undefined when nothing is wrong. */
export const pageFault = signal<string | undefined>(undefined);

export function tellPageFault(thrown: unknown): void {
  console.error(thrown);
  const what = thrown instanceof Error ? thrown.message : String(thrown);
  pageFault.value = `A fault of this page, not of what you entered: ${what}. Some of what it shows may be old.`;
}

/** Draws, and tells what is thrown: an exception that left an effect would stop whoever changed the signal. */
export function drawSafely(draw: () => void): void {
  try {
    draw();
  } catch (thrown) {
    tellPageFault(thrown);
  }
}

/** Hears of faults in frames, timers and promises too. A browser's own notices, such as that of a late layout, carry no error. */
export function hearPageFaults(): void {
  addEventListener('error', ({ error }) => {
    if (error) tellPageFault(error);
  });
  addEventListener('unhandledrejection', ({ reason }) => tellPageFault(reason));
}
