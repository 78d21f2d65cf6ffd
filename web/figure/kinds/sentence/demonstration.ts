// A word that moves to the front by itself, once: who has just come sees that words can be moved, and what becomes of it.
import type { ButtonsParts } from './buttons.ts';

/** Time to look first, ms. */
const WAIT = 1800;
/** How long it takes, ms: longer than a move by hand, so that it is seen. */
const LENGTH = 900;

/** @param suggested the word that moves, of so many */
export function moveByItself(
  host: HTMLElement,
  { moves, reducedMotion, slowly }: ButtonsParts,
  suggested: (count: number) => number,
): { ready(): void; end(): void } {
  const listening = new AbortController();
  const { signal } = listening;
  const figure = host.parentElement as HTMLElement;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isReady = false;
  let isSeen = false;
  const end = (): void => {
    clearTimeout(timer);
    timer = undefined;
    seen.disconnect();
    listening.abort();
  };
  const move = (): void => {
    end();
    const count = moves.order().length;
    const isWritten = moves.order().every((word, place) => word === place);
    if (count > 2 && isWritten && !moves.locked && !reducedMotion.matches) slowly(() => moves.move(suggested(count), 0), LENGTH);
  };
  const wait = (): void => {
    if (isReady && isSeen && !signal.aborted) timer ??= setTimeout(move, WAIT);
  };
  const seen = new IntersectionObserver(
    ([entry]) => {
      isSeen = entry?.isIntersecting ?? false;
      if (isSeen) wait();
      else {
        clearTimeout(timer);
        timer = undefined;
      }
    },
    { threshold: 0.6 },
  );
  seen.observe(figure);
  for (const event of ['pointerdown', 'keydown']) figure.addEventListener(event, end, { signal, capture: true });
  return {
    ready() {
      isReady = true;
      wait();
    },
    end,
  };
}
