// Animations: a released handle moves to its position, and query and key slide along the line together.
import { type ReadonlySignal, signal } from '@preact/signals-core';
import type { RequestedState } from './moves.ts';
import type { Handle } from './picture.ts';

export interface Positions {
  readonly query: number;
  readonly key: number;
}

export type Range = readonly [number, number];

export const clamp = (value: number, [first, last]: Range): number => Math.max(first, Math.min(last, value));

export function clampMove({ query, key }: Positions, distance: number, [first, last]: Range): number {
  const [minMove, maxMove] = [first - Math.min(query, key), last - Math.max(query, key)];
  // If query and key are further apart than the line is long, the movement is not limited.
  return minMove > maxMove ? distance : Math.max(minMove, Math.min(maxMove, distance));
}

export function movePositions(handle: Handle, from: Positions, distance: number, range: Range): Positions {
  if (handle !== 'both') return { ...from, [handle]: clamp(from[handle] + distance, range) };
  const shift = clampMove(from, distance, range);
  return { query: from.query + shift, key: from.key + shift };
}

/** Like `movePositions`, but rounded: a single handle ends at an integer position, both handles move by an integer. */
export function moveByIntegers(handle: Handle, from: Positions, distance: number, range: Range): Positions {
  if (handle === 'both') return movePositions(handle, from, Math.round(distance), range);
  return { ...from, [handle]: Math.round(clamp(from[handle] + distance, range)) };
}

/** Duration of a glide, ms. */
const GLIDE_MS = 220;
/** Speed of a slide in positions per second, and with reduced motion, the time in ms at each position. */
const [SLIDE_SPEED, STEP_MS] = [2.6, 650];

const easeOut = (t: number): number => 1 - (1 - t) ** 3;

export interface Motion {
  readonly isSliding: ReadonlySignal<boolean>;
  glide(to: Positions): void;
  /** Slides both handles to the end of the line, to its start and back to their positions, then calls `onArrive`. */
  slide(from: Positions, range: Range, onArrive: () => void): void;
  /** Returns the number of positions by which the slide has moved both handles. */
  getSlideDistance(): number;
  stop(): void;
}

export function createMotion({ currentState, show }: RequestedState): Motion {
  const reducedMotion = matchMedia('(prefers-reduced-motion: reduce)');
  const isSliding = signal(false);
  let distanceMoved = 0;
  let frameRequest = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const cancelAnimation = (): void => {
    cancelAnimationFrame(frameRequest);
    clearTimeout(timer);
  };
  /** Calls `step` in each animation frame until it returns false. */
  const runInFrames = (step: (now: number) => boolean): void => {
    const runFrame = (now: number): void => {
      if (step(now)) frameRequest = requestAnimationFrame(runFrame);
    };
    frameRequest = requestAnimationFrame(runFrame);
  };
  return {
    isSliding,
    getSlideDistance: () => distanceMoved,
    stop() {
      isSliding.value = false;
      cancelAnimation();
    },
    glide(to) {
      cancelAnimation();
      const from = currentState.peek();
      if (!from || reducedMotion.matches || (from.query === to.query && from.key === to.key)) {
        show(to);
        return;
      }
      const startTime = performance.now();
      runInFrames((now) => {
        const t = Math.min(1, Math.max(0, (now - startTime) / GLIDE_MS));
        const easedProgress = easeOut(t);
        show(
          t === 1
            ? to
            : { query: from.query + (to.query - from.query) * easedProgress, key: from.key + (to.key - from.key) * easedProgress },
        );
        return t < 1;
      });
    },
    slide(from, range, onArrive) {
      isSliding.value = true;
      distanceMoved = 0;
      const slideTargets = [clampMove(from, Number.MAX_SAFE_INTEGER, range), clampMove(from, -Number.MAX_SAFE_INTEGER, range), 0];
      const advanceSlide = (maxDistance: number): boolean => {
        const [to = 0] = slideTargets;
        distanceMoved = Math.abs(to - distanceMoved) <= maxDistance ? to : distanceMoved + Math.sign(to - distanceMoved) * maxDistance;
        if (distanceMoved === to) slideTargets.shift();
        show({ query: from.query + distanceMoved, key: from.key + distanceMoved });
        if (slideTargets.length > 0) return true;
        onArrive();
        return false;
      };
      if (reducedMotion.matches) {
        const advanceByOne = (): void => {
          if (advanceSlide(1)) timer = setTimeout(advanceByOne, STEP_MS);
        };
        advanceByOne();
        return;
      }
      let lastTime = performance.now();
      runInFrames((now) => {
        // The time between two frames is limited, so that a slide in a hidden page continues where it stopped.
        const seconds = Math.max(0, Math.min(50, now - lastTime)) / 1000;
        lastTime = now;
        return advanceSlide(SLIDE_SPEED * seconds);
      });
    },
  };
}
