// Control of a long computation: pause, single steps, and early stop with the results so far. Each computation has a separate one.
import { signal } from '@preact/signals-core';

export class Pace {
  readonly isPaused = signal(false);
  /** Stop with the results so far. */
  readonly isStopped = signal(false);
  #wake: (() => void) | undefined;

  toggle(): void {
    this.isPaused.value = !this.isPaused.peek();
    if (!this.isPaused.peek()) this.#go();
  }

  /** One step, then pause. */
  step(): void {
    this.isPaused.value = true;
    this.#go();
  }

  stop(): void {
    this.isStopped.value = true;
    this.#go();
  }

  /** Resolves at once, or when the reader continues. */
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
