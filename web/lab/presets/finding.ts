// <ph-finding>: the result of the selected comparison, and whether the figure has confirmed it.

import { type ReadonlySignal, signal } from '@preact/signals-core';
import { html, nothing, svg, type TemplateResult } from 'lit';
import { capital, formatNumber } from '../../charts/number.ts';
import { passes } from '../../figure/contract/kind.ts';
import type { PhasorFigure } from '../../figure/element/element.ts';
import type { Figure } from '../../figure/runtime/controller.ts';
import { LabElement } from '../element.ts';
import { presetNow } from './later-presets.ts';
import { CONVENTION_STRINGS as STRINGS } from './preset-strings.ts';
import type { Preset } from './presets.ts';

// A drawing of the channel order: the channels of A and of B in two rows, with a line per channel.
const CELL = 24;
const LEFT = 20;
const HEIGHT = 92;
const TOP = 20;

/** `order[b]` is the channel of A that is channel b of B. */
function channelMap(order: readonly number[], about: (count: number) => string): TemplateResult {
  const at = (channel: number): number => LEFT + (channel + 0.5) * CELL;
  const width = LEFT + order.length * CELL;
  const row = (name: string, y: number) => svg`<text class="row-name" x="0" y=${y + 4}>${name}</text>
    ${order.map((_, channel) => svg`<rect x=${at(channel) - 9} y=${y - 9} width="18" height="18" rx="3"></rect><text x=${at(channel)} y=${y + 4}>${channel}</text>`)}`;
  // Distinguishes even and odd channels of A, which form its pairs.
  const lines = order.map(
    (from, to) =>
      svg`<path ?data-odd=${from % 2 === 1} d=${`M${at(from)} ${TOP + 10}C${at(from)} ${TOP + 32} ${at(to)} ${HEIGHT - 42} ${at(to)} ${HEIGHT - 20}`}></path>`,
  );
  return html`<figure class="channel-map">
    <figcaption>${STRINGS.channels}. <span class="muted">${about(order.length)}</span></figcaption>
    <svg viewBox=${`0 0 ${width} ${HEIGHT}`} .style=${`max-width: ${width * 1.1}px`} role="img" aria-label=${order.map((a, b) => STRINGS.channel(b, a)).join(', ')}>
      ${lines}${row(STRINGS.inA, TOP)}${row(STRINGS.inB, HEIGHT - 10)}
    </svg>
  </figure>`;
}

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
    const note = same === (preset.shows === 'same') ? '' : same ? STRINGS.notHere : STRINGS.notAsSaid;
    const channels = figure.kind.tables(latest.numbers, latest.spec).find(({ name }) => name === 'channels');
    return html`<p class="verdict" role="status" data-same=${same} data-residual=${proof.residual}><b>${preset.view ? (same ? STRINGS.checked : STRINGS.fails) : same ? `= ${STRINGS.same}` : `≠ ${STRINGS.different}`}</b> ${result}
        ${numbers}. ${note}</p>
      ${channels ? channelMap(Array.from(channels.tensor.data), latest.spec.show === 'table' ? STRINGS.ofTable : STRINGS.eachHead) : nothing}`;
  }
}
