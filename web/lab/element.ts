// The parts of the page: Lit elements that redraw when a signal they read changes. They live in the page's own tree, so
// one style sheet serves all and labels can point across them.
import { SignalWatcher } from '@lit-labs/preact-signals';
import { LitElement } from 'lit';
import { drawSafely } from './page-fault.ts';

/** Under the watcher of signals, which would never ask again for an update that has thrown. */
class SafeElement extends LitElement {
  protected override performUpdate(): void {
    drawSafely(() => super.performUpdate());
  }
}

export class LabElement extends SignalWatcher(SafeElement) {
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
