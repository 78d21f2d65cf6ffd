// The parts of the page: Lit elements that redraw when a signal they read changes. They live in the page's own tree, so
// one style sheet serves all and labels can point across them.
import { SignalWatcher } from '@lit-labs/preact-signals';
import { LitElement } from 'lit';

export class LabElement extends SignalWatcher(LitElement) {
  /** The static words of index.html make room for the live ones. */
  protected override createRenderRoot(): this {
    this.replaceChildren();
    return this;
  }
}

/** Registers an element, once. */
export function define(name: string, type: CustomElementConstructor): void {
  if (!customElements.get(name)) customElements.define(name, type);
}
