// Base class of the page's components: Lit elements that update when a signal they read changes. They render into the light DOM, so they share
// one style sheet, and labels can refer to other elements.
import { SignalWatcher } from '@lit-labs/preact-signals';
import { LitElement } from 'lit';
import { drawSafely } from './state/page-error.ts';

/** Catches exceptions while updating; otherwise SignalWatcher would not request further updates. */
class SafeElement extends LitElement {
  protected override performUpdate(): void {
    drawSafely(() => super.performUpdate());
  }

  /** Delays all updates except the first until figures have sent their requests, so that the engine computes while the page is drawn. */
  protected override async scheduleUpdate(): Promise<void> {
    if (this.hasUpdated) await new Promise((resolve) => setTimeout(resolve));
    super.scheduleUpdate();
  }
}

export class LabElement extends SignalWatcher(SafeElement) {
  /** Renders into the light DOM, and replaces the static content of index.html. */
  protected override createRenderRoot(): this {
    this.replaceChildren();
    return this;
  }
}

export function define(name: string, type: CustomElementConstructor): void {
  if (!customElements.get(name)) customElements.define(name, type);
}
