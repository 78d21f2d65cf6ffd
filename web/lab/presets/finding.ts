// <ph-finding>: the result of the selected comparison, and whether the figure has confirmed it.
import { type ReadonlySignal, signal } from '@preact/signals-core';
import { html, nothing } from 'lit';
import { capital, formatNumber } from '../../charts/number.ts';
import { passes } from '../../figure/contract/kind.ts';
import type { PhasorFigure } from '../../figure/element/element.ts';
import type { Figure } from '../../figure/runtime/controller.ts';
import { LabElement } from '../element.ts';
import { channelMap } from './channel-map.ts';
import { presetNow } from './later-presets.ts';
import { CONVENTION_STRINGS as STRINGS } from './preset-strings.ts';
import type { Preset } from './presets.ts';

export class Finding extends LabElement {
  private readonly live = signal<ReadonlySignal<Figure | undefined> | undefined>(undefined);

  protected override render() {
    const preset = presetNow.value;
    if (!preset) return nothing;
    return html`<section class="finding" aria-label=${STRINGS.finding}>
      <h2>${preset.name}</h2>
      <p class="lesson">${preset.lesson}</p>
      ${this.measured(preset)}
    </section>`;
  }

  /** The figure is below, in the same section. */
  protected override updated(): void {
    this.live.value ??= this.parentElement?.querySelector<PhasorFigure>('phasor-figure')?.live;
  }

  private measured(preset: Preset) {
    const figure = this.live.value?.value;
    const latest = figure?.computed.value;
    if (!figure || !latest || figure.state.value !== 'ready') return html`<p class="verdict muted">…</p>`;
    const proof = figure.kind.proof(latest.numbers, latest.spec);
    const same = passes(proof);
    const result = preset.view ? capital(proof.conclusion) : '';
    const numbers = STRINGS.measured(
      capital(proof.quantity),
      formatNumber(proof.residual, { digits: 2 }),
      formatNumber(proof.tolerance, { digits: 2 }),
    );
    const odd = same === (preset.shows === 'same') ? '' : same ? STRINGS.notHere : STRINGS.notAsSaid;
    const channels = figure.kind.tables(latest.numbers, latest.spec).find(({ name }) => name === 'channels');
    return html`<p class="verdict" role="status" data-same=${same} data-residual=${proof.residual}><b>${preset.view ? (same ? STRINGS.checked : STRINGS.fails) : same ? `= ${STRINGS.same}` : `≠ ${STRINGS.different}`}</b> ${result}
        ${numbers}. ${odd}</p>
      ${channels ? channelMap(Array.from(channels.tensor.data), latest.spec.show === 'table' ? STRINGS.ofTable : STRINGS.eachHead) : nothing}`;
  }
}
