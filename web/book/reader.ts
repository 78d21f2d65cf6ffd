// When a reader is there for figures. Until then the text, its fonts and its pictures have the processor and the network for themselves.
import { firstPaint } from '../lab/page/first-paint.ts';

/** Who has read for so long will want figures that answer, ms after the first words were shown. */
const READING = 2000;

/** Resolves when someone reaches for a figure or for a symbol that lights up in one, presses a key, or has read for a while. */
export function readerIsThere(): Promise<void> {
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
    document.addEventListener('keydown', settle, { signal });
    void firstPaint().then(() => setTimeout(settle, READING));
  });
}
