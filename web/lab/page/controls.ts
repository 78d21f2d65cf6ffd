// <ph-controls>: controls for the attention settings and for the parameters of the selected encoding, generated from their declarations.

import shipped from 'virtual:shipped-encodings';
import { html, nothing } from 'lit';
import { keyed } from 'lit/directives/keyed.js';
import { formatId, wholeNumber } from '../../charts/english.ts';
import type { EncodingInfo, Mask, ParamInfo } from '../../engine/index.ts';
import { hasTrainedLayer } from '../../figure/compute/trained-layer.ts';
import { createParamControl, getParamValue } from '../../figure/contract/parameters.ts';
import { VECTOR_DIM } from '../../sentence/word-vectors.ts';
import { areDescriptionsSettled, findDescription, getEncodingTitle } from '../descriptions.ts';
import { LabElement } from '../element.ts';
import { CONTROL_STRINGS } from '../error-strings.ts';
import { paramField } from '../state/error-field.ts';
import { chooseSlider, describeTensors, groupParams } from '../state/params.ts';
import type { Projections } from '../state/state.ts';
import { change, encoding, sentenceFigure, state } from '../state/store.ts';
import { PROJECTION_STRINGS } from '../strings.ts';
import { chooseProjections, settingsWithoutModel } from './choose-encoding.ts';
import { Disclosure } from './disclosure.ts';
import { findMessage } from './error-message.ts';
import { renderChoiceField, renderNumberField, renderSelectField, renderSwitchField } from './fields.ts';
import { isFolded } from './folding.ts';

/** Sets a parameter, or removes it if the value is its default. */
function setParam({ name, default: defaultValue }: ParamInfo, value: number | string | boolean): void {
  const { [name]: _, ...others } = state.peek().params;
  change({ params: value === defaultValue ? others : { ...others, [name]: value } }, paramField(name));
}

/** Formats the range of position offsets that the sentence accepts. Returns an empty string until the sentence's figure is loaded. */
function formatOffsetLimits(): string {
  const offsetControl = sentenceFigure.value?.kind.fields.positionOffset?.control;
  return offsetControl?.kind === 'number'
    ? `${wholeNumber.format(offsetControl.min)} to ${wholeNumber.format(offsetControl.max)}`.replace('-', '−')
    : '';
}

/** The Lab view of all heads of a trained character-level model. */
const HEADS_VIEW = { question: 'learn', view: 'inside' } as const;

/** Selects a mask. The trained model needs a causal mask, so another mask deselects it. */
const chooseMask = (mask: Mask): void => {
  if (mask === 'none' && state.peek().projections === 'trained') chooseProjections('identity');
  else change({ mask });
};

/** Maximum number of options in a segmented control. Longer lists are shown as a drop-down list. */
const MAX_SEGMENT_COUNT = 4;

function renderControl(param: ParamInfo) {
  const { name, unit, summary } = param;
  const control = createParamControl(param);
  const value = getParamValue(state.value.params, param);
  const commonFields = { name, id: paramField(name), label: formatId(name), hint: summary };
  switch (control.kind) {
    case 'choice': {
      const { choices } = control;
      const fieldOptions = { ...commonFields, value: String(value), choices, set: (choice: string) => setParam(param, choice) };
      return choices.length > MAX_SEGMENT_COUNT ? renderSelectField(fieldOptions) : renderChoiceField(fieldOptions);
    }
    case 'switch':
      return renderSwitchField({ ...commonFields, value: value === true, set: (on) => setParam(param, on) });
    case 'number': {
      const { min, max, whole: isWhole } = control;
      if (isWhole && max - min < MAX_SEGMENT_COUNT) {
        const choices = Array.from({ length: max - min + 1 }, (_, offset) => String(min + offset));
        return renderChoiceField({ ...commonFields, value: String(value), choices, set: (choice) => setParam(param, Number(choice)) });
      }
      const set = (number: number) => setParam(param, number);
      return renderNumberField({ ...commonFields, unit, value: Number(value), limits: { min, max }, slider: chooseSlider(control), set });
    }
    case 'none':
      return nothing;
  }
}

export class Controls extends LabElement {
  private readonly disclosures = new Map<string, Disclosure>();

  protected override render() {
    this.hidden = isFolded.value;
    // Waits for the descriptions, because they determine the order of the controls.
    if (!areDescriptionsSettled.value) return nothing;
    const { mask } = state.value;
    return html`
      ${encoding.value ? this.renderEncodingControls(encoding.value) : nothing}
      <div class="controls of-attention" id="parameters" role="group" aria-label="Attention">
        ${renderChoiceField<Mask>({ name: 'mask', label: 'Mask', value: mask, choices: ['none', 'causal'], set: chooseMask })}
        ${this.renderAttentionControls()}
      </div>`;
  }

  private renderEncodingControls(encodingInfo: EncodingInfo) {
    const { params } = state.value;
    const { initialParams, moreParams, tensors } = groupParams(encodingInfo, params, findDescription(encodingInfo.id)?.mainParams);
    const tensorsNote = describeTensors(encodingInfo, params, tensors);
    if (initialParams.length === 0 && !tensorsNote) return nothing;
    return html`<div class="controls" role="group" aria-label="Parameters of the encoding">
      ${initialParams.map(renderControl)}
      ${
        moreParams.length > 0
          ? this.renderDisclosure(
              `of ${encodingInfo.id}`,
              moreParams.flatMap(({ name }) => [
                ...(params[name] === undefined ? [] : [`set ${name}`]),
                ...(findMessage(paramField(name)) ? [`wrong ${name}`] : []),
              ]),
              `${moreParams.length} more parameters`,
              html`<div class="listed">${moreParams.map(renderControl)}</div>`,
            )
          : nothing
      }
      ${tensorsNote ? html`<p class="arrays">${tensorsNote}</p>` : nothing}
    </div>`;
  }

  /** Renders a collapsible section, which opens when `reasons` contains a new entry. */
  private renderDisclosure(name: string, reasons: readonly string[], summary: string, content: unknown) {
    const disclosure = (this.disclosures.get(name) ?? new Disclosure()).openFor(reasons);
    this.disclosures.set(name, disclosure);
    return keyed(
      name,
      html`<details class="more" ?open=${disclosure.isOpen} @toggle=${disclosure.onToggle}><summary>${summary}</summary>${content}</details>`,
    );
  }

  private renderAttentionControls() {
    const { heads, projections, seed, positionOffset, dim, encoding: id } = state.value;
    const hasModel = hasTrainedLayer(id) || projections === 'trained';
    return html`
        ${renderChoiceField<Projections>({
          name: 'projections',
          label: 'Projections',
          value: projections,
          choices: hasModel ? ['identity', 'orthogonal', 'trained'] : ['identity', 'orthogonal'],
          hint: hasModel ? PROJECTION_STRINGS.trainedHint : PROJECTION_STRINGS.untrainedHint(getEncodingTitle(id)),
          set: chooseProjections,
        })}
        ${shipped.includes(id) ? html`<button type="button" class="plain" @click=${() => change(HEADS_VIEW)}>${PROJECTION_STRINGS.showAllHeads}</button>` : nothing}
        ${
          projections === 'orthogonal'
            ? renderNumberField({
                name: 'seed',
                label: CONTROL_STRINGS.seed,
                value: seed,

                note: 'integer',
                set: (value) => change({ seed: value }, 'seed'),
              })
            : nothing
        }
        ${renderNumberField({ name: 'heads', label: CONTROL_STRINGS.heads, value: heads, note: `divides ${dim}`, set: (value) => change({ ...settingsWithoutModel(), heads: value }, 'heads') })}
        ${renderNumberField({ name: 'dim', label: CONTROL_STRINGS.dim, value: dim, note: `1 to ${VECTOR_DIM}`, set: (value) => change({ ...settingsWithoutModel(), dim: value }, 'width') })}
        ${renderNumberField({ name: 'positionOffset', label: CONTROL_STRINGS.positionOffset, value: positionOffset, note: formatOffsetLimits(), set: (value) => change({ ...settingsWithoutModel(), positionOffset: value }, 'offset') })}`;
  }
}
