// Detects the presence of a reader. Until then the text, its fonts and its pictures have the processor and the network for themselves.
import { firstPaint } from '../lab/page/first-paint.ts';

/** The actions of a reader who is present. */
const MOVES = ['pointermove', 'pointerdown', 'wheel', 'scroll', 'keydown', 'focusin'];

/**
 * A page that was visible for this time after its first text has a reader, ms: not everyone moves a pointer or scrolls. Shorter on the front page,
 * whose first figure shows what is possible.
 */
const READING = 15_000;
const SOON = 2000;

/**
 * Resolves after the text is loaded and the reader moves the pointer, scrolls, touches, presses a key, returns to the tab, or has read for a while;
 * at once for a pointer on a figure or a symbol. @param isSoon whether a short while is enough
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
      // A tab that was opened in the background has no reader.
      const seen = (): void => {
        if (!document.hidden) settle();
      };
      document.addEventListener('visibilitychange', seen, { signal });
      setTimeout(seen, isSoon ? SOON : READING);
    });
  });
}
