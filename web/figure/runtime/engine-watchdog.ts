// Nobody can tell an engine that computes from one that the browser has ended, except by waiting.

/** How long an engine may be silent before the reader is told so, ms. */
const TIMEOUT = 20_000;

export class EngineWatchdog {
  #timer: ReturnType<typeof setTimeout> | undefined;
  readonly #onTimeout: (seconds: number) => void;

  constructor(onTimeout: (seconds: number) => void) {
    this.#onTimeout = onTimeout;
  }

  /** The engine has begun to work, or has been heard of: the wait begins anew. */
  reset(): void {
    this.stop();
    this.#timer = setTimeout(() => this.#onTimeout(TIMEOUT / 1000), TIMEOUT);
  }

  stop(): void {
    clearTimeout(this.#timer);
  }
}
