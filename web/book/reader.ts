// Detects whether a reader is present. Until then, CPU and network are reserved for the text, its fonts and its pictures.
import { firstPaint } from '../lab/page/first-paint.ts';

/** Events that show that a reader is present. */
const MOVES = ['pointermove', 'pointerdown', 'wheel', 'scroll', 'keydown', 'focusin'];

/**
 * The time in ms after which a visible page is assumed to have a reader, because not everyone moves a pointer or scrolls. It is shorter on the front
 * page, whose first figure is a showcase.
 */
const READING_TIME = 15_000;
const FRONT_PAGE_TIME = 2000;

/**
 * Resolves after the text is loaded and the reader moves the pointer, scrolls, touches, presses a key, returns to the tab, or has read for
 * a while; immediately for a pointer on a figure or a symbol.
 * @param isSoon whether the shorter time applies
 */
export function readerIsThere({ isSoon }: { isSoon: boolean }): Promise<void> {
  return new Promise((resolve) => {
    const listening = new AbortController();
    const { signal } = listening;
    const settle = (): void => {
      listening.abort();
      resolve();
    };
    const reached = ({ target }: Event): void => {
      if (target instanceof Element && target.closest('phasor-figure, .symbols')) settle();
    };
    for (const type of ['pointerover', 'pointerdown', 'focusin']) document.addEventListener(type, reached, { signal });
    void firstPaint().then(() => {
      for (const type of MOVES) addEventListener(type, settle, { signal, passive: true });
      // A tab in the background has no reader yet.
      const settleIfVisible = (): void => {
        if (!document.hidden) settle();
      };
      document.addEventListener('visibilitychange', settleIfVisible, { signal });
      setTimeout(settleIfVisible, isSoon ? FRONT_PAGE_TIME : READING_TIME);
    });
  });
}
