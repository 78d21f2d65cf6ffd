// The state of a collapsible section. The user opens and closes it; a new reason inside opens it; nothing else closes it.

export class Disclosure {
  open = false;
  private reasons: readonly string[] = [];

  /** Sets the reasons to be open: parameters that are set, error messages. A new reason opens it; a removed one changes nothing. */
  openFor(reasons: readonly string[]): this {
    if (reasons.some((reason) => !this.reasons.includes(reason))) this.open = true;
    this.reasons = reasons;
    return this;
  }

  /** Called when the user opens or closes it. */
  readonly toggled = (event: Event): void => {
    this.open = (event.target as HTMLDetailsElement).open;
  };
}
