// The kind of a figure that has to be fetched first.
import { oneByOne } from './one-by-one.ts';

export class ComingKind {
  #fetch: (() => Promise<void>) | undefined;
  #coming: Promise<void> | undefined;

  /** Remembers how it is fetched, which is done when it is wanted, in a task of its own. */
  plan(fetch: () => Promise<void>, isWanted: boolean): void {
    this.#fetch = fetch;
    if (!isWanted) return;
    oneByOne(() => {
      if (this.#fetch === fetch) void this.wanted();
    });
  }

  /** Fetches it, once. @returns settled when it is here, or could not be fetched */
  wanted(): Promise<void> | undefined {
    const fetch = this.#fetch;
    this.#fetch = undefined;
    if (fetch) this.#coming = fetch();
    return this.#coming;
  }
}
