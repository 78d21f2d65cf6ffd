// The reader's hand on a long computation that is watched: it pauses, goes on by single steps, and stops early with what there is. Each computation
// has its own.
import { signal } from '@preact/signals-core';

export class Pace {
  readonly isPaused = signal(false);
  /** The results so far are enough. */
  readonly isStopped = signal(false);
  #wake: (() => void) | undefined;

  toggle(): void {
    this.isPaused.value = !this.isPaused.peek();
    if (!this.isPaused.peek()) this.#go();
  }

  /** One step more, and pauses. */
  step(): void {
    this.isPaused.value = true;
    this.#go();
  }

  stop(): void {
    this.isStopped.value = true;
    this.#go();
  }

  /** Resolves at once, or when the reader goes on. */
  async pass(signal?: AbortSignal): Promise<void> {
    if (!this.isPaused.peek() || this.isStopped.peek() || signal?.aborted) return;
    await new Promise<void>((resolve) => {
      const before = this.#wake;
      this.#wake = () => {
        before?.();
        resolve();
      };
      signal?.addEventListener('abort', () => resolve(), { once: true });
    });
  }

  #go(): void {
    const wake = this.#wake;
    this.#wake = undefined;
    wake?.();
  }
}
