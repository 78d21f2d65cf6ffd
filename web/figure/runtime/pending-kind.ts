// The kind of a figure that has to be fetched first.
import { enqueueTask } from './task-queue.ts';

export class PendingKind {
  #fetch: (() => Promise<void>) | undefined;
  #coming: Promise<void> | undefined;

  /** Remembers how it is fetched, which is done when it is wanted, in a task of its own. */
  plan(fetch: () => Promise<void>, isWanted: boolean): void {
    this.#fetch = fetch;
    if (!isWanted) return;
    enqueueTask(() => {
      if (this.#fetch === fetch) void this.wanted();
    });
  }

  /** Fetches it, once. @returns resolved when it is here, or could not be fetched */
  wanted(): Promise<void> | undefined {
    const fetch = this.#fetch;
    this.#fetch = undefined;
    if (fetch) this.#coming = fetch();
    return this.#coming;
  }
}
