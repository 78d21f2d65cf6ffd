// A demonstration: one word moves automatically, once, to show new readers that words can be moved, and the effect.
import type { WordMoves } from './drag.ts';

export interface Demonstration {
  readonly moves: WordMoves;
  readonly reducedMotion: MediaQueryList;
  /** Runs a move with this duration in ms. */
  slowly(move: () => void, duration: number): void;
  /** The index of the word that moves, and its new position, for this number of words. */
  from(count: number): number;
  to(count: number): number;
}

/** The initial delay in ms. */
const DELAY = 1800;
/** The duration in ms, longer than that of other moves, so that readers notice it. */
const DURATION = 900;

/** @param host below the words @returns `ready`, to be called when numbers are shown */
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
    observer.disconnect();
    listening.abort();
  };
  const move = (): void => {
    end();
    const count = moves.order().length;
    const isWritten = moves.order().every((word, position) => word === position);
    if (count > 2 && isWritten && !moves.locked && !reducedMotion.matches) slowly(() => moves.move(from(count), to(count)), DURATION);
  };
  const wait = (): void => {
    if (isReady && isVisible && !signal.aborted) timer ??= setTimeout(move, DELAY);
  };
  const observer = new IntersectionObserver(
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
  observer.observe(figure);
  for (const event of ['pointerdown', 'keydown']) figure.addEventListener(event, end, { signal, capture: true });
  return {
    ready() {
      isReady = true;
      wait();
    },
    end,
  };
}
