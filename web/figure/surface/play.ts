// Plays a figure by moving its cursor from position to position.
import { effect, type ReadonlySignal, signal } from '@preact/signals-core';
import type { Cursor } from '../contract/kind.ts';
import type { Figure } from '../runtime/controller.ts';

const TOTAL_DURATION_MS = 8000;
const [MIN_STEP_MS, MAX_STEP_MS] = [40, 380];
/** Duration per position in ms for users who prefer reduced motion. */
const REDUCED_STEP_MS = 650;

export interface Player {
  readonly isPlaying: ReadonlySignal<boolean>;
  /**
   * Toggles between playing and paused. Playing continues from the cursor, or restarts at the first position if the cursor is at the last
   * one.
   */
  toggle(): void;
  dispose(): void;
}

/**
 * Creates a player. It also pauses when the user moves the cursor or when the figure leaves the viewport.
 * @param onPause called whenever the player pauses
 */
export function createPlayer(figure: Figure, onPause: () => void): Player {
  const isPlaying = signal(false);
  let timer: ReturnType<typeof setTimeout> | undefined;
  let playedCursor: Cursor | undefined;
  const pause = (): void => {
    clearTimeout(timer);
    if (!isPlaying.peek()) return;
    isPlaying.value = false;
    onPause();
  };
  const countPositions = (): number => {
    const latestResult = figure.computed.peek();
    return latestResult && figure.kind.playback ? figure.kind.playback.count(latestResult.results, latestResult.spec) : 0;
  };
  const playStep = (): void => {
    const { axis = '' } = figure.kind.playback ?? {};
    const count = countPositions();
    if (count === 0 || !figure.isInView.peek()) {
      pause();
      return;
    }
    const position = figure.cursor.peek()[axis];
    const nextPosition = position === undefined || position >= count - 1 ? 0 : position + 1;
    playedCursor = { [axis]: nextPosition };
    figure.cursor.value = playedCursor;
    const stepDuration = Math.min(MAX_STEP_MS, Math.max(MIN_STEP_MS, TOTAL_DURATION_MS / count));
    if (nextPosition === count - 1) pause();
    else timer = setTimeout(playStep, matchMedia('(prefers-reduced-motion: reduce)').matches ? REDUCED_STEP_MS : stepDuration);
  };
  const stopEffect = effect(() => {
    if (figure.cursor.value !== playedCursor) pause();
  });
  return {
    isPlaying,
    toggle() {
      const wasPlaying = isPlaying.peek();
      pause();
      if (wasPlaying) return;
      isPlaying.value = true;
      playStep();
    },
    dispose() {
      stopEffect();
      pause();
    },
  };
}
