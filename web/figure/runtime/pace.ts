// Lets the user pause a long computation, run it step by step, or stop it early and keep the results so far.
import { signal } from '@preact/signals-core';

export class Pace {
  readonly isPaused = signal(false);
  /** Whether to stop the computation and return the results so far. */
  readonly isStopped = signal(false);
  #resolvePause: (() => void) | undefined;

  toggle(): void {
    this.isPaused.value = !this.isPaused.peek();
    if (!this.isPaused.peek()) this.#resume();
  }

  /** Lets the computation run one step, then pauses it. */
  step(): void {
    this.isPaused.value = true;
    this.#resume();
  }

  stop(): void {
    this.isStopped.value = true;
    this.#resume();
  }

  /** Resolves immediately if not paused; otherwise when the user continues, steps or stops, or when the signal is aborted. */
  async waitWhilePaused(signal?: AbortSignal): Promise<void> {
    if (!this.isPaused.peek() || this.isStopped.peek() || signal?.aborted) return;
    await new Promise<void>((resolve) => {
      const previousWake = this.#resolvePause;
      this.#resolvePause = () => {
        previousWake?.();
        resolve();
      };
      signal?.addEventListener('abort', () => resolve(), { once: true });
    });
  }

  #resume(): void {
    const wake = this.#resolvePause;
    this.#resolvePause = undefined;
    wake?.();
  }
}
