// <ph-conventions>: the list of convention comparisons, grouped by question.
import { html } from 'lit';
import { define, LabElement } from '../element.ts';
import { change, state } from '../state/store.ts';
import { isNarrow } from '../state/ui-state.ts';
import { Finding } from './finding.ts';
import { activePreset } from './later-presets.ts';
import { CONVENTION_STRINGS as STRINGS } from './preset-strings.ts';
import { findMatchingPreset, PRESETS, type Preset, stateFromPreset } from './presets.ts';

export { findMatchingPreset as presetOf };

const PRESET_GROUPS = [...new Set(PRESETS.map(({ group }) => group))];

class Conventions extends LabElement {
  protected override render() {
    const currentPreset = activePreset.value;
    return html`<details class="conventions" ?open=${!isNarrow.value}>
      <summary><b>${STRINGS.title}</b> <span class="muted">${currentPreset ? currentPreset.name : STRINGS.presetCount(PRESETS.length)}</span></summary>
      <div class="convention-groups">${PRESET_GROUPS.map((group) => this.renderGroup(group, currentPreset))}</div>
    </details>`;
  }

  private renderGroup(name: string, currentPreset: Preset | undefined) {
    const groupPresets = PRESETS.filter(({ group }) => group === name);
    return html`<section aria-label=${name}><h3>${name}</h3>
      <ul>${groupPresets.map(
        (preset) =>
          html`<li><button type="button" class="plain" aria-pressed=${preset === currentPreset} @click=${() => this.showPreset(preset)}>${preset.name}</button></li>`,
      )}</ul></section>`;
  }

  private showPreset(preset: Preset): void {
    change(stateFromPreset(preset, state.peek()), 'encoding');
    if (!isNarrow.peek()) return;
    // The list is longer than a phone screen, so it is closed after a selection.
    const detailsElement = this.querySelector('details');
    if (detailsElement) detailsElement.open = false;
    this.scrollIntoView({ block: 'start' });
    this.querySelector<HTMLElement>('summary')?.focus({ preventScroll: true });
  }
}

export function defineConventions(): void {
  define('ph-conventions', Conventions);
  define('ph-finding', Finding);
}
