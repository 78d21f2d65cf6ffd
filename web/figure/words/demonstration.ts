// A demonstration for new users: moves one word automatically, once.
import type { WordMoves } from './drag.ts';

export interface Demonstration {
  readonly moves: WordMoves;
  readonly reducedMotionQuery: MediaQueryList;
  /** Runs a move with this duration in ms. */
  runSlowly(move: () => void, duration: number): void;
  /** The position of the word to move, in a sentence of `count` words. */
  startPosition(count: number): number;
  endPosition(count: number): number;
}

const START_DELAY_MS = 1800;
/** Duration of the demonstrated move in ms. It is longer than other moves, so that users notice it. */
const MOVE_DURATION_MS = 900;

/**
 * Moves a word once, after a delay, if the figure is visible and the words are in their original order. A pointer press or a key cancels
 * the move.
 * @param host a child of the figure
 * @returns `ready`, to be called when results are shown, and `end`, which cancels the move
 */
export function startDemonstration(
  host: HTMLElement,
  { moves, reducedMotionQuery, runSlowly, startPosition, endPosition }: Demonstration,
): { ready(): void; end(): void } {
  const listeners = new AbortController();
  const { signal } = listeners;
  const figure = host.parentElement as HTMLElement;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isReady = false;
  let isVisible = false;
  const end = (): void => {
    clearTimeout(timer);
    timer = undefined;
    observer.disconnect();
    listeners.abort();
  };
  const move = (): void => {
    end();
    const count = moves.getOrder().length;
    const isOriginalOrder = moves.getOrder().every((word, position) => word === position);
    if (count > 2 && isOriginalOrder && !moves.isLocked && !reducedMotionQuery.matches)
      runSlowly(() => moves.move(startPosition(count), endPosition(count)), MOVE_DURATION_MS);
  };
  const startTimer = (): void => {
    if (isReady && isVisible && !signal.aborted) timer ??= setTimeout(move, START_DELAY_MS);
  };
  const observer = new IntersectionObserver(
    ([entry]) => {
      isVisible = entry?.isIntersecting ?? false;
      if (isVisible) startTimer();
      else {
        clearTimeout(timer);
        timer = undefined;
      }
    },
    { threshold: 0.6 },
  );
  observer.observe(figure);
  for (const eventType of ['pointerdown', 'keydown']) figure.addEventListener(eventType, end, { signal, capture: true });
  return {
    ready() {
      isReady = true;
      startTimer();
    },
    end,
  };
}
