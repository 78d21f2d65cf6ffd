// The state of a collapsible section: the user opens and closes it, and a new reason inside opens it; nothing else changes it.
export class Disclosure {
  open = false;
  private reasons: readonly string[] = [];

  /**
   * Sets the reasons to be open, such as parameters that are set, or error messages. A new reason opens the section; a removed one changes
   * nothing.
   */
  openFor(reasons: readonly string[]): this {
    if (reasons.some((reason) => !this.reasons.includes(reason))) this.open = true;
    this.reasons = reasons;
    return this;
  }

  /** Called after the user has opened or closed it. */
  readonly toggled = (event: Event): void => {
    this.open = (event.target as HTMLDetailsElement).open;
  };
}
