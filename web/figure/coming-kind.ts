// The kind of a figure that has to be fetched first.
export class ComingKind {
  #fetch: (() => Promise<void>) | undefined;
  #coming: Promise<void> | undefined;

  /** Remembers how it is fetched, which it is not before it is wanted. */
  plan(fetch: () => Promise<void>, isWanted: boolean): void {
    this.#fetch = fetch;
    if (isWanted) void this.wanted();
  }

  /** Fetches it, once. @returns settled when it is here, or could not be fetched */
  wanted(): Promise<void> | undefined {
    const fetch = this.#fetch;
    this.#fetch = undefined;
    if (fetch) this.#coming = fetch();
    return this.#coming;
  }
}
