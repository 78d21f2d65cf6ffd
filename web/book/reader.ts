// Detects when a reader is present. Until then, CPU and network are left to the text and its pictures.
import { waitForFirstPaint } from '../lab/page/first-paint.ts';

const ACTIVITY_EVENTS = ['pointermove', 'pointerdown', 'wheel', 'scroll', 'keydown', 'focusin'];

/** Time in ms after which a visible page is assumed to have a reader, even without pointer or scroll events. */
const READING_TIME_MS = 15_000;
const FRONT_PAGE_TIME_MS = 2000;

/**
 * Resolves when the pointer is on a figure or a symbol. Once the text has loaded, also resolves after any other activity, after a return to the tab,
 * or after enough reading time.
 * @param isSoon whether the shorter reading time applies
 */
export function waitForReader({ isSoon }: { isSoon: boolean }): Promise<void> {
  return new Promise((resolve) => {
    const controller = new AbortController();
    const { signal } = controller;
    const settle = (): void => {
      controller.abort();
      resolve();
    };
    const settleOnFigure = ({ target }: Event): void => {
      if (target instanceof Element && target.closest('phasor-figure, .symbols')) settle();
    };
    for (const type of ['pointerover', 'pointerdown', 'focusin']) document.addEventListener(type, settleOnFigure, { signal });
    void waitForFirstPaint().then(() => {
      for (const type of ACTIVITY_EVENTS) addEventListener(type, settle, { signal, passive: true });
      // A background tab has no reader yet.
      const settleIfVisible = (): void => {
        if (!document.hidden) settle();
      };
      document.addEventListener('visibilitychange', settleIfVisible, { signal });
      setTimeout(settleIfVisible, isSoon ? FRONT_PAGE_TIME_MS : READING_TIME_MS);
    });
  });
}
