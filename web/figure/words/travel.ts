// Animates the positions of words and the attention weights.
import { entryAt } from '../../charts/entry-at.ts';

export const GLIDE_MS = 250;

const easeInOut = (t: number): number => t * t * (3 - 2 * t);

export class AnimatedResults {
  values: readonly number[] = [];
  private startValues: readonly number[] = [];
  private targetValues: readonly number[] = [];
  private frameId = 0;

  /** @param draw called in each frame in which values change */
  constructor(private readonly draw: () => void) {}

  /** Animates to the target values, or sets them immediately if the duration is 0 or the number of values changes. */
  animateTo(target: readonly number[], duration: number): void {
    const isSameTarget = target.length === this.targetValues.length && target.every((value, at) => Object.is(value, this.targetValues[at]));
    if (isSameTarget && (this.frameId !== 0 || duration > 0)) return;
    cancelAnimationFrame(this.frameId);
    this.frameId = 0;
    this.targetValues = target;
    if (duration === 0 || target.length !== this.values.length) {
      this.values = target;
      return;
    }
    this.startValues = this.values;
    let startTime: number | undefined;
    const drawFrame = (now: number): void => {
      startTime ??= now;
      const t = Math.min(1, (now - startTime) / duration);
      this.values =
        t === 1 ? this.targetValues : this.targetValues.map((value, at) => interpolate(entryAt(this.startValues, at), value, easeInOut(t)));
      this.frameId = t === 1 ? 0 : requestAnimationFrame(drawFrame);
      this.draw();
    };
    this.frameId = requestAnimationFrame(drawFrame);
  }

  /** Replaces values, starting at index `at`, and then animates all values to the current target. */
  jumpTo(at: number, values: readonly number[], duration: number): void {
    const { targetValues } = this;
    this.values = this.values.map((value, index) => values[index - at] ?? value);
    this.targetValues = [];
    this.animateTo(targetValues, duration);
  }

  end(): void {
    cancelAnimationFrame(this.frameId);
  }
}

/** Interpolates between two values. Masked weights are not finite, so they are set immediately. */
const interpolate = (from: number, to: number, t: number): number =>
  Number.isFinite(from) && Number.isFinite(to) ? from + (to - from) * t : to;
