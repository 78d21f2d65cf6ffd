// <ph-finding>: the selected comparison's explanation, and the difference measured by its figure.

import { type ReadonlySignal, signal } from '@preact/signals-core';
import { html, nothing, svg, type TemplateResult } from 'lit';
import { capitalize, formatNumber } from '../../charts/number.ts';
import { passes } from '../../figure/contract/kind.ts';
import type { PhasorFigure } from '../../figure/element/element.ts';
import type { Figure } from '../../figure/runtime/controller.ts';
import { LabElement } from '../element.ts';
import { activePreset } from './later-presets.ts';
import { CONVENTION_STRINGS as STRINGS } from './preset-strings.ts';
import type { Preset } from './presets.ts';

const CELL_WIDTH = 24;
const LABEL_WIDTH = 20;
const MAP_HEIGHT = 92;
const ROW_A_Y = 20;

/** Draws a row of channels for A and one for B, and a line from channel `order[b]` of A to each channel b of B. */
function renderChannelMap(order: readonly number[], formatLabel: (count: number) => string): TemplateResult {
  const channelX = (channel: number): number => LABEL_WIDTH + (channel + 0.5) * CELL_WIDTH;
  const width = LABEL_WIDTH + order.length * CELL_WIDTH;
  const renderRow = (name: string, y: number) => svg`<text class="row-name" x="0" y=${y + 4}>${name}</text>
    ${order.map((_, channel) => svg`<rect x=${channelX(channel) - 9} y=${y - 9} width="18" height="18" rx="3"></rect><text x=${channelX(channel)} y=${y + 4}>${channel}</text>`)}`;
  // Lines from odd channels of A have a different style, to distinguish the two channels of a pair.
  const lines = order.map(
    (from, to) =>
      svg`<path ?data-odd=${from % 2 === 1} d=${`M${channelX(from)} ${ROW_A_Y + 10}C${channelX(from)} ${ROW_A_Y + 32} ${channelX(to)} ${MAP_HEIGHT - 42} ${channelX(to)} ${MAP_HEIGHT - 20}`}></path>`,
  );
  return html`<figure class="channel-map">
    <figcaption>${STRINGS.channelMapTitle}. <span class="muted">${formatLabel(order.length)}</span></figcaption>
    <svg viewBox=${`0 0 ${width} ${MAP_HEIGHT}`} .style=${`max-width: ${width * 1.1}px`} role="img" aria-label=${order.map((a, b) => STRINGS.channelMapping(b, a)).join(', ')}>
      ${lines}${renderRow(STRINGS.rowA, ROW_A_Y)}${renderRow(STRINGS.rowB, MAP_HEIGHT - 10)}
    </svg>
  </figure>`;
}

export class Finding extends LabElement {
  private readonly liveFigure = signal<ReadonlySignal<Figure | undefined> | undefined>(undefined);

  protected override render() {
    const preset = activePreset.value;
    if (!preset) return nothing;
    return html`<section class="finding" aria-label=${STRINGS.resultLabel}>
      <h2>${preset.name}</h2>
      <p class="lesson">${preset.result}</p>
      ${this.renderResult(preset)}
    </section>`;
  }

  /** Finds the figure of the same section, which is created after this element. */
  protected override updated(): void {
    this.liveFigure.value ??= this.parentElement?.querySelector<PhasorFigure>('phasor-figure')?.live;
  }

  private renderResult(preset: Preset) {
    const figure = this.liveFigure.value?.value;
    const result = figure?.computed.value;
    if (!figure || !result || figure.state.value !== 'ready') return html`<p class="verdict muted">…</p>`;
    const proof = figure.kind.proof(result.results, result.spec);
    const isSameResult = passes(proof);
    const conclusion = preset.view ? capitalize(proof.conclusion) : '';
    const numbers = STRINGS.measurement(
      capitalize(proof.quantity),
      formatNumber(proof.residual, { digits: 2 }),
      formatNumber(proof.tolerance, { digits: 2 }),
    );
    const remark = isSameResult === (preset.expected === 'same') ? '' : isSameResult ? STRINGS.noDifferenceHere : STRINGS.unexpectedResult;
    const channels = figure.kind.tables(result.results, result.spec).find(({ name }) => name === 'channels');
    return html`<p class="verdict" role="status" data-same=${isSameResult} data-residual=${proof.residual}><b>${preset.view ? (isSameResult ? STRINGS.verified : STRINGS.differs) : isSameResult ? `= ${STRINGS.equal}` : `≠ ${STRINGS.different}`}</b> ${conclusion}
        ${numbers}. ${remark}</p>
      ${channels ? renderChannelMap(Array.from(channels.tensor.data), result.spec.show === 'table' ? STRINGS.tableChannelCount : STRINGS.headChannelCount) : nothing}`;
  }
}
