// The header and footer of the page: theme, link, and engine.
import { signal } from '@preact/signals-core';
import { html, nothing } from 'lit';
import { LabElement } from '../element.ts';
import { printLink } from '../state/link.ts';
import { forgetLinks, isForgetful, savedLinks, saveLink } from '../state/saved.ts';
import { engine, state } from '../state/store.ts';
import { VARIANTS } from '../state/variants.ts';
import { TOOL_WORDS as WORDS } from '../words.ts';
import { addressNow } from './address.ts';
import { choiceField } from './fields.ts';
import { present, presenting } from './present.ts';
import { CHOICES, chooseTheme, storedTheme, type ThemeChoice } from './theme-choice.ts';

/** <ph-tools>: the theme, and a link to the current state. */
export class Tools extends LabElement {
  private readonly copied = signal<string | undefined>(undefined);
  private readonly theme = signal(storedTheme());

  protected override render() {
    return html`
      <span class="for-lecture">
        <button type="button" class="plain present" @click=${() => present(!presenting.value)}>${presenting.value ? WORDS.leave : WORDS.present}</button>
        ${presenting.value ? nothing : this.saving()}
      </span>
      <button type="button" class="plain" @click=${this.copy}>Copy link</button>
      <span class="copied" role="status">${this.copied.value ?? nothing}</span>
      ${choiceField({ name: 'theme', label: 'Colours', value: this.theme.value, words: CHOICES, set: this.choose })}`;
  }

  private saving() {
    const { length } = savedLinks.value;
    const forget = html`<span class="muted" role="status">${WORDS.saved(length)}${isForgetful.value ? WORDS.untilClosed : nothing}</span> <button type="button" class="plain" @click=${forgetLinks}>${WORDS.forget}</button>`;
    return html`<button type="button" class="plain" @click=${() => saveLink(printLink(state.peek()))}>${WORDS.save}</button> ${length > 0 ? forget : nothing}`;
  }

  private readonly choose = (choice: ThemeChoice): void => {
    this.theme.value = choice;
    chooseTheme(choice);
  };

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

/** <ph-engine>: version and variant of the engine. */
export class Engine extends LabElement {
  protected override render() {
    const running = engine.value;
    return running ? html`computed by phasor ${running.version}, ${VARIANTS[running.variant]}` : nothing;
  }
}

/** <ph-keys>: what the keyboard can do. */
export class Keys extends LabElement {
  override connectedCallback(): void {
    super.connectedCallback();
    document.addEventListener('keydown', this.asked);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    document.removeEventListener('keydown', this.asked);
  }

  /** A question mark opens the list, unless it is typed into a field. */
  private readonly asked = (event: KeyboardEvent): void => {
    const at = event.composedPath()[0];
    if (
      event.key !== '?' ||
      (at instanceof Element && at.matches('input:not([type="radio"], [type="range"], [type="checkbox"]), textarea, select'))
    )
      return;
    const list = this.querySelector('details');
    if (!list) return;
    list.open = true;
    list.querySelector('summary')?.focus();
  };

  protected override render() {
    return html`<details class="keys"><summary>${WORDS.keysTitle}</summary>
      <dl>${WORDS.keys.map(([keys, meaning]) => html`<dt>${keys}</dt><dd>${meaning}</dd>`)}</dl></details>`;
  }
}
