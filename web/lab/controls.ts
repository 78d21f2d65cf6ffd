// <ph-controls>: the parameters of the chosen encoding, made from what it says about itself, and those of attention.
import { html, nothing } from 'lit';
import type { Mask, ParamInfo } from '../engine/index.ts';
import type { Projections } from '../figure/setting.ts';
import { VECTOR_WIDTH } from '../figure/word-vectors.ts';
import { LabElement } from './element.ts';
import { messageAt } from './fault.ts';
import { choiceField, numberField, switchField } from './fields.ts';
import { narrow } from './narrow.ts';
import { change, encoding, state } from './store.ts';

/** Sets a parameter, or forgets it when it is what is used anyway. */
function setParam({ name, default: usual }: ParamInfo, value: number | string | boolean): void {
  const { [name]: _, ...others } = state.peek().params;
  change({ params: value === usual ? others : { ...others, [name]: value } }, name);
}

const plain = (name: string): string => name.replaceAll('_', ' ');

function paramField(param: ParamInfo) {
  const { name, kind, min, max, logarithmic, unit, summary } = param;
  const value = state.value.params[name] ?? param.default;
  const label = plain(name);
  if (kind === 'choice') {
    return choiceField({ name, label, value: String(value), words: param.choices, hint: summary, set: (word) => setParam(param, word) });
  }
  if (kind === 'boolean') return switchField({ name, label, value: value === true, set: (on) => setParam(param, on) });
  return numberField({
    name,
    label,
    unit,
    value: Number(value),
    whole: kind === 'integer',
    range: { min, max, logarithmic },
    set: (number) => setParam(param, number),
  });
}

export class Controls extends LabElement {
  protected override render() {
    const { mask } = state.value;
    const params = encoding.value?.params ?? [];
    return html`
      ${params.length > 0 ? html`<div class="controls" role="group" aria-label="Parameters of the encoding">${params.map(paramField)}</div>` : nothing}
      <div class="controls of-attention" role="group" aria-label="Attention">
        ${choiceField<Mask>({ name: 'mask', label: 'Mask', value: mask, words: ['none', 'causal'], set: (word) => change({ mask: word }) })}
        ${narrow.value ? this.folded() : this.more()}
      </div>`;
  }

  /** Where there is little room, what is changed seldom waits behind a word. */
  private folded() {
    const wrong = ['seed', 'heads', 'width', 'offset'].some((field) => messageAt(field));
    return html`<details class="more" ?open=${wrong}><summary>Projections, heads, width, first position</summary>${this.more()}</details>`;
  }

  private more() {
    const { heads, projections, seed, offset, width } = state.value;
    return html`
        ${choiceField<Projections>({
          name: 'projections',
          label: 'Projections',
          value: projections,
          words: ['identity', 'orthogonal'],
          hint: 'Queries, keys and values are the words themselves, or turned by three random orthogonal matrices',
          set: (word) => change({ projections: word }),
        })}
        ${
          projections === 'orthogonal'
            ? numberField({
                name: 'seed',
                label: 'Seed',
                value: seed,
                whole: true,
                hint: 'whole number',
                set: (value) => change({ seed: value }, 'seed'),
              })
            : nothing
        }
        ${numberField({ name: 'heads', label: 'Heads', value: heads, whole: true, hint: `divides ${width}`, set: (value) => change({ heads: value }, 'heads') })}
        ${numberField({ name: 'width', label: 'Width', value: width, whole: true, hint: `1 to ${VECTOR_WIDTH}`, set: (value) => change({ width: value }, 'width') })}
        ${numberField({ name: 'offset', label: 'First position', value: offset, hint: 'below 2³¹', set: (value) => change({ offset: value }, 'offset') })}`;
  }
}
