// Elements of the page's header and footer: the toolbar, the engine's version and the keyboard shortcuts.
import { html, nothing } from 'lit';
import { openConfig } from '../config/later-config.ts';
import { LabElement } from '../element.ts';
import { saveLink } from '../state/saved.ts';
import { engine } from '../state/store.ts';
import { RAIL_STRINGS, TOOL_STRINGS as STRINGS, VARIANT_NAMES } from '../strings.ts';
import { currentLink } from './address.ts';
import { isPresenting, setPresenting } from './present.ts';

/** <ph-tools>: buttons that paste a config.json, start a presentation, save a lecture step and copy a link, and the theme select. */
export class Toolbar extends LabElement {
  protected override render() {
    return html`
      <button type="button" class="paste-config" @click=${openConfig}>${RAIL_STRINGS.pasteConfig}</button>
      <span class="for-lecture">
        <button type="button" class="plain present" @click=${() => setPresenting(!isPresenting.value)}>${isPresenting.value ? STRINGS.exitPresentation : STRINGS.startPresentation}</button>
        <button type="button" class="plain" ?hidden=${isPresenting.value} @click=${() => saveLink(currentLink())}>${STRINGS.addToLecture}</button>
        <ph-lecture ?hidden=${isPresenting.value}></ph-lecture>
      </span>
      <ph-copy></ph-copy>
      <ph-colours></ph-colours>`;
  }
}

/** <ph-engine>: the engine's version and WebAssembly variant. */
export class EngineInfo extends LabElement {
  protected override render() {
    const currentEngine = engine.value;
    return currentEngine ? html`computed by phasor ${currentEngine.version}, ${VARIANT_NAMES[currentEngine.variant]}` : nothing;
  }
}

/** <ph-keys>: the list of keyboard shortcuts. */
export class ShortcutList extends LabElement {
  override connectedCallback(): void {
    super.connectedCallback();
    document.addEventListener('keydown', this.onKeydown);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    document.removeEventListener('keydown', this.onKeydown);
  }

  /** Opens the list when `?` is pressed outside a text field. */
  private readonly onKeydown = (event: KeyboardEvent): void => {
    const eventTarget = event.composedPath()[0];
    if (
      event.key !== '?' ||
      (eventTarget instanceof Element &&
        eventTarget.matches('input:not([type="radio"], [type="range"], [type="checkbox"]), textarea, select'))
    )
      return;
    const details = this.querySelector('details');
    if (!details) return;
    details.open = true;
    details.querySelector('summary')?.focus();
  };

  protected override render() {
    return html`<details class="keys"><summary>${STRINGS.shortcutsTitle}</summary>
      <dl>${STRINGS.shortcuts.map(([keys, meaning]) => html`<dt>${keys}</dt><dd>${meaning}</dd>`)}</dl></details>`;
  }
}
