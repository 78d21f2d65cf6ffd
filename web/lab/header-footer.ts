// The header and footer of the page: theme, link, and engine.
import { signal } from '@preact/signals-core';
import { html, nothing } from 'lit';
import { addressNow } from './address.ts';
import { LabElement } from './element.ts';
import { choiceField } from './fields.ts';
import { engine } from './store.ts';
import { CHOICES, chooseTheme, themeChoice } from './theme.ts';

/** <ph-tools>: the theme, and a link to the current state. */
export class Tools extends LabElement {
  private readonly copied = signal<string | undefined>(undefined);

  protected override render() {
    return html`
      <button type="button" class="plain" @click=${this.copy}>Copy link</button>
      <span class="copied" role="status">${this.copied.value ?? nothing}</span>
      ${choiceField({ name: 'theme', label: 'Colours', value: themeChoice.value, words: CHOICES, set: chooseTheme })}`;
  }

  private readonly copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(addressNow());
      this.copied.value = 'copied';
    } catch {
      this.copied.value = 'not allowed by the browser; copy the URL instead';
    }
    setTimeout(() => {
      this.copied.value = undefined;
    }, 3000);
  };
}

const VARIANTS = { simd: 'WebAssembly SIMD', scalar: 'WebAssembly without SIMD' } as const;

/** <ph-engine>: version and variant of the engine. */
export class Engine extends LabElement {
  protected override render() {
    const running = engine.value;
    return running ? html`computed by phasor ${running.version}, ${VARIANTS[running.variant]}` : nothing;
  }
}
