// Numbers that change gradually: positions of words, and the attention to each word.
import { entryAt } from '../../charts/entry-at.ts';

/** The duration of a change in ms. */
export const GLIDE_MS = 250;

const easeInOut = (t: number): number => t * t * (3 - 2 * t);

export class AnimatedNumbers {
  /** The displayed numbers. */
  values: readonly number[] = [];
  private startValues: readonly number[] = [];
  private target: readonly number[] = [];
  private frame = 0;

  /** `draw` is called in each frame in which numbers change. */
  constructor(private readonly draw: () => void) {}

  /** Animates to other numbers, or sets them at once if the duration is 0 or the count changes. */
  to(target: readonly number[], duration: number): void {
    const isSameTarget = target.length === this.target.length && target.every((value, at) => Object.is(value, this.target[at]));
    if (isSameTarget && (this.frame !== 0 || duration > 0)) return;
    cancelAnimationFrame(this.frame);
    this.frame = 0;
    this.target = target;
    if (duration === 0 || target.length !== this.values.length) {
      this.values = target;
      return;
    }
    this.startValues = this.values;
    let startTime: number | undefined;
    const step = (now: number): void => {
      startTime ??= now;
      const t = Math.min(1, (now - startTime) / duration);
      this.values = t === 1 ? this.target : this.target.map((value, at) => interpolate(entryAt(this.startValues, at), value, easeInOut(t)));
      this.frame = t === 1 ? 0 : requestAnimationFrame(step);
      this.draw();
    };
    this.frame = requestAnimationFrame(step);
  }

  /** Sets the numbers from index `at`, and animates them to the target. */
  place(at: number, values: readonly number[], duration: number): void {
    const { target } = this;
    this.values = this.values.map((value, index) => values[index - at] ?? value);
    this.target = [];
    this.to(target, duration);
  }

  end(): void {
    cancelAnimationFrame(this.frame);
  }
}

/** Interpolates weights, except masked ones. */
const interpolate = (from: number, to: number, t: number): number =>
  Number.isFinite(from) && Number.isFinite(to) ? from + (to - from) * t : to;
