// <ph-attention>: the attention matrix of one head.
import { html } from 'lit';
import { attentionPicture } from '../../sentence/pictures/attention.ts';
import { attentionReadout } from '../../sentence/readout.ts';
import type { Matrix } from '../../sentence/setting.ts';
import { placeCursor } from '../cursor.ts';
import { LabElement } from '../element.ts';
import { choiceField, selectField } from '../fields.ts';
import { change, figure, head, matrix, waiting } from '../store.ts';
import { pairTask } from './pointing.ts';

const task = pairTask((frame) => figure.value && attentionPicture(figure.value, placeCursor(figure.value), frame));

/** More heads than this are shown as a drop-down list. */
const MAX_BUTTONS = 8;

export class Attention extends LabElement {
  protected override render() {
    const shown = figure.value;
    if (!shown) return html`<p class="caption">${waiting.value}</p>`;
    return html`
      <p class="caption">${attentionReadout(shown, placeCursor(shown))}</p>
      <div class="panel-controls">
        ${choiceField<Matrix>({ name: 'matrix', label: 'Show', value: matrix.value, words: ['scores', 'weights'], set: (word) => change({ matrix: word }) })}
        ${this.heads(shown.setting.heads)}
      </div>
      <ph-picture .picture=${task} .maxHeight=${460}></ph-picture>`;
  }

  private heads(count: number) {
    const numbers = Array.from({ length: count }, (_, index) => String(index + 1));
    const now = String(head.value + 1);
    const set = (word: string): void => change({ head: Number(word) - 1 });
    const field = { name: 'head', label: 'Head', value: now, words: numbers, set };
    return count <= MAX_BUTTONS ? choiceField(field) : selectField(field);
  }
}
