// The state of a collapsible section, which opens by itself for a new reason, such as an error.
export class Disclosure {
  isOpen = false;
  private reasons: readonly string[] = [];

  /**
   * Sets the reasons to open the section, such as changed parameters or error messages. A new reason opens the
   * section. Removing a reason has no effect.
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
