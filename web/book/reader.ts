// When a reader is there for figures. Until then the text, its fonts and its pictures have the processor and the network for themselves.
import { firstPaint } from '../lab/page/first-paint.ts';

/** What a reader does who is there. */
const MOVES = ['pointermove', 'pointerdown', 'wheel', 'scroll', 'keydown', 'focusin'];

/** On the front page, whose first figure shows what it can: someone has looked for so long, ms after the first words were shown. */
const LOOKING = 2000;

/**
 * Resolves when the text is there and someone moves, scrolls, touches the page or presses a key; at once when it is a figure, or a symbol that
 * lights up in one, that they reach for. Nobody is there in a tab that was opened for later.
 * @param waits only for that; otherwise it resolves by itself, too
 */
export function readerIsThere({ waits }: { waits: boolean }): Promise<void> {
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
      if (!waits) setTimeout(settle, LOOKING);
    });
  });
}
