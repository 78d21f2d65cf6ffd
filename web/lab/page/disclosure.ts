// The state of a collapsible section, which opens automatically for a new reason, such as an error.
export class Disclosure {
  isOpen = false;
  private reasons: readonly string[] = [];

  /**
   * Opens the section if `reasons` contains a new reason, such as a changed parameter or an error message. Removing a reason does not close
   * it.
   */
  openFor(reasons: readonly string[]): this {
    if (reasons.some((reason) => !this.reasons.includes(reason))) this.isOpen = true;
    this.reasons = reasons;
    return this;
  }

  readonly onToggle = (event: Event): void => {
    this.isOpen = (event.target as HTMLDetailsElement).open;
  };
}
