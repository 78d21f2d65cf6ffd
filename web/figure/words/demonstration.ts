// A word that moves automatically, once: it shows new readers that words can be moved, and the effect.
import type { WordMoves } from './drag.ts';

export interface Demonstration {
  readonly moves: WordMoves;
  readonly reducedMotion: MediaQueryList;
  /** Runs a move of this duration, ms. */
  slowly(move: () => void, duration: number): void;
  /** The index of the word that moves, and its new position, for this number of words. */
  from(count: number): number;
  to(count: number): number;
}

/** The initial delay, ms. */
const DEFAULT_TIMEOUT = 1800;
/** Its duration, ms: longer than that of a move by hand, so that it is noticed. */
const LENGTH = 900;

/** @param host below the words @returns `ready`: the first numbers are shown */
export function moveByItself(host: HTMLElement, { moves, reducedMotion, slowly, from, to }: Demonstration): { ready(): void; end(): void } {
  const listening = new AbortController();
  const { signal } = listening;
  const figure = host.parentElement as HTMLElement;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isReady = false;
  let isVisible = false;
  const end = (): void => {
    clearTimeout(timer);
    timer = undefined;
    seen.disconnect();
    listening.abort();
  };
  const move = (): void => {
    end();
    const count = moves.order().length;
    const isWritten = moves.order().every((word, position) => word === position);
    if (count > 2 && isWritten && !moves.locked && !reducedMotion.matches) slowly(() => moves.move(from(count), to(count)), LENGTH);
  };
  const wait = (): void => {
    if (isReady && isVisible && !signal.aborted) timer ??= setTimeout(move, DEFAULT_TIMEOUT);
  };
  const seen = new IntersectionObserver(
    ([entry]) => {
      isVisible = entry?.isIntersecting ?? false;
      if (isVisible) wait();
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
