// Detects when someone starts to read the page. Until then, the text and its pictures have priority for CPU and network.
import { waitForFirstPaint } from '../lab/page/first-paint.ts';

const ACTIVITY_EVENTS = ['pointermove', 'pointerdown', 'wheel', 'scroll', 'keydown', 'focusin'];

/** Time in ms after which a visible page is assumed to be read, even without pointer or scroll events. */
const READING_TIME_MS = 15_000;
const FRONT_PAGE_TIME_MS = 2000;

/**
 * Resolves when the pointer or the focus is on a figure or a symbol list. After the first paint, also resolves on any activity, when the tab becomes
 * visible, or after a delay.
 * @param hasShortDelay whether the delay is the shorter one
 */
export function waitForReader({ hasShortDelay }: { hasShortDelay: boolean }): Promise<void> {
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
      const settleIfVisible = (): void => {
        if (!document.hidden) settle();
      };
      document.addEventListener('visibilitychange', settleIfVisible, { signal });
      setTimeout(settleIfVisible, hasShortDelay ? FRONT_PAGE_TIME_MS : READING_TIME_MS);
    });
  });
}
