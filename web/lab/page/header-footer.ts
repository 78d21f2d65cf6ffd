// The header and footer of the page. They contain actions on the whole page, keyboard shortcuts, and information about the engine.
import { html, nothing } from 'lit';
import { openConfig } from '../config/later-config.ts';
import { LabElement } from '../element.ts';
import { saveLink } from '../state/saved.ts';
import { engine } from '../state/store.ts';
import { RAIL_STRINGS, TOOL_STRINGS as STRINGS, VARIANTS } from '../strings.ts';
import { currentLink } from './address.ts';
import { isPresenting, setPresenting } from './present.ts';

/** <ph-tools>: buttons for a config.json, presenting, the steps of a lecture, a link to the current state, and the theme. */
export class Toolbar extends LabElement {
  protected override render() {
    return html`
      <button type="button" class="paste-config" @click=${openConfig}>${RAIL_STRINGS.config}</button>
      <span class="for-lecture">
        <button type="button" class="plain present" @click=${() => setPresenting(!isPresenting.value)}>${isPresenting.value ? STRINGS.leave : STRINGS.present}</button>
        <button type="button" class="plain" ?hidden=${isPresenting.value} @click=${() => saveLink(currentLink())}>${STRINGS.save}</button>
        <ph-lecture ?hidden=${isPresenting.value}></ph-lecture>
      </span>
      <ph-copy></ph-copy>
      <ph-colours></ph-colours>`;
  }
}

/** <ph-engine>: shows the version and variant of the engine. */
export class EngineInfo extends LabElement {
  protected override render() {
    const currentEngine = engine.value;
    return currentEngine ? html`computed by phasor ${currentEngine.version}, ${VARIANTS[currentEngine.variant]}` : nothing;
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

  /** Opens the list when `?` is pressed outside of text fields. */
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
    return html`<details class="keys"><summary>${STRINGS.keysTitle}</summary>
      <dl>${STRINGS.keys.map(([keys, meaning]) => html`<dt>${keys}</dt><dd>${meaning}</dd>`)}</dl></details>`;
  }
}
