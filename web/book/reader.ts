// When a reader is there for figures. Until then the text, its fonts and its pictures have the processor and the network for themselves.
import { firstPaint } from '../lab/page/first-paint.ts';

/** The actions of a reader who is present. */
const MOVES = ['pointermove', 'pointerdown', 'wheel', 'scroll', 'keydown', 'focusin'];

/**
 * Who has had a page in sight for so long reads it, ms after its first words were shown: not everyone moves a pointer or scrolls. On the front page,
 * whose first figure shows what it can, it is soon.
 */
const READING = 15_000;
const SOON = 2000;

/**
 * Resolves when the text is there and someone moves, scrolls, touches the page, presses a key, comes back to its tab, or has read for a while; at
 * once when it is a figure, or a symbol that lights up in one, that they reach for.
 * @param isSoon whether a little while is enough
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
      // Nobody is there in a tab that was opened for later.
      const seen = (): void => {
        if (!document.hidden) settle();
      };
      document.addEventListener('visibilitychange', seen, { signal });
      setTimeout(seen, isSoon ? SOON : READING);
    });
  });
}
