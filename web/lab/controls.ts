// <ph-controls>: the parameters of the chosen encoding, made from what it says about itself, and those of attention.
import { html, nothing } from 'lit';
import { keyed } from 'lit/directives/keyed.js';
import { encodingWords } from '../encodings/words.ts';
import type { EncodingInfo, Mask, ParamInfo } from '../engine/index.ts';
import { paramValue } from '../figure/parameters.ts';
import type { Projections } from '../figure/setting.ts';
import { VECTOR_WIDTH } from '../figure/word-vectors.ts';
import { paramField } from './blame.ts';
import { LabElement } from './element.ts';
import { messageAt } from './fault.ts';
import { choiceField, numberField, selectField, switchField } from './fields.ts';
import { Fold } from './fold.ts';
import { narrow } from './narrow.ts';
import { arraysLine, sliderOf, sorted } from './params.ts';
import { change, encoding, state } from './store.ts';

/** Sets a parameter, or forgets it when it is what is used anyway. */
function setParam({ name, default: usual }: ParamInfo, value: number | string | boolean): void {
  const { [name]: _, ...others } = state.peek().params;
  change({ params: value === usual ? others : { ...others, [name]: value } }, paramField(name));
}

const plain = (name: string): string => name.replaceAll('_', ' ');

/** More words than this are chosen from a list. */
const MOST_SEGMENTS = 4;

function controlOf(param: ParamInfo) {
  const { name, kind, min, max, unit, summary } = param;
  const value = paramValue(state.value.params, param);
  const common = { name, id: paramField(name), label: plain(name), hint: summary };
  if (kind === 'choice') {
    const field = { ...common, value: String(value), words: param.choices, set: (word: string) => setParam(param, word) };
    return param.choices.length > MOST_SEGMENTS ? selectField(field) : choiceField(field);
  }
  if (kind === 'integer' && max - min < MOST_SEGMENTS) {
    const words = Array.from({ length: max - min + 1 }, (_, step) => String(min + step));
    return choiceField({ ...common, value: String(value), words, set: (word) => setParam(param, Number(word)) });
  }
  if (kind === 'boolean') return switchField({ ...common, value: value === true, set: (on) => setParam(param, on) });
  return numberField({
    ...common,
    unit,
    value: Number(value),
    whole: kind === 'integer',
    limits: { min, max },
    slider: sliderOf(param),
    set: (number) => setParam(param, number),
  });
}

export class Controls extends LabElement {
  /** What is folded away, by encoding, and of attention. */
  private readonly folds = new Map<string, Fold>();

  protected override render() {
    const { mask } = state.value;
    return html`
      ${encoding.value ? this.ofEncoding(encoding.value) : nothing}
      <div class="controls of-attention" role="group" aria-label="Attention">
        ${choiceField<Mask>({ name: 'mask', label: 'Mask', value: mask, words: ['none', 'causal'], set: (word) => change({ mask: word }) })}
        ${narrow.value ? this.folded() : this.more()}
      </div>`;
  }

  private ofEncoding(shown: EncodingInfo) {
    const { params } = state.value;
    const { first, rest, arrays } = sorted(shown, params, encodingWords[shown.id]?.first);
    const line = arraysLine(shown, params, arrays);
    if (first.length === 0 && !line) return nothing;
    return html`<div class="controls" role="group" aria-label="Parameters of the encoding">
      ${first.map(controlOf)}
      ${
        rest.length > 0
          ? this.fold(
              `of ${shown.id}`,
              rest.flatMap(({ name }) => [
                ...(params[name] === undefined ? [] : [`set ${name}`]),
                ...(messageAt(paramField(name)) ? [`wrong ${name}`] : []),
              ]),
              `${rest.length} more parameters`,
              html`<div class="listed">${rest.map(controlOf)}</div>`,
            )
          : nothing
      }
      ${line ? html`<p class="arrays">${line}</p>` : nothing}
    </div>`;
  }

  /** Where there is little room, what is changed seldom waits behind a word. */
  private folded() {
    const wrong = ['seed', 'heads', 'width', 'offset'].filter((field) => messageAt(field));
    return this.fold('of attention', wrong, 'Projections, heads, width, first position', this.more());
  }

  /** Something folded away that opens for a new reason. */
  private fold(name: string, reasons: readonly string[], summary: string, inside: unknown) {
    const fold = (this.folds.get(name) ?? new Fold()).because(reasons);
    this.folds.set(name, fold);
    return keyed(
      name,
      html`<details class="more" ?open=${fold.open} @toggle=${fold.toggled}><summary>${summary}</summary>${inside}</details>`,
    );
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
                note: 'whole number',
                set: (value) => change({ seed: value }, 'seed'),
              })
            : nothing
        }
        ${numberField({ name: 'heads', label: 'Heads', value: heads, whole: true, note: `divides ${width}`, set: (value) => change({ heads: value }, 'heads') })}
        ${numberField({ name: 'width', label: 'Width', value: width, whole: true, note: `1 to ${VECTOR_WIDTH}`, set: (value) => change({ width: value }, 'width') })}
        ${numberField({ name: 'offset', label: 'First position', value: offset, note: 'below 2³¹', set: (value) => change({ offset: value }, 'offset') })}`;
  }
}
