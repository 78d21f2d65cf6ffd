// Whether what is folded away is open. The reader decides; something inside that wants to be seen opens it, and nothing closes it.

export class Fold {
  open = false;
  private reasons: readonly string[] = [];

  /** Says why it should be open now: parameters that are set, messages. A new reason opens; one that goes away changes nothing. */
  because(reasons: readonly string[]): this {
    if (reasons.some((reason) => !this.reasons.includes(reason))) this.open = true;
    this.reasons = reasons;
    return this;
  }

  /** The reader has opened or closed it. */
  readonly toggled = (event: Event): void => {
    this.open = (event.target as HTMLDetailsElement).open;
  };
}
