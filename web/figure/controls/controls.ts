// The controls of a figure, generated from its fields and from the declared parameters of its encoding.

import titles from 'virtual:encoding-titles';
import { html, nothing, type TemplateResult } from 'lit';
import { readableId } from '../../charts/english.ts';
import type { EncodingInfo, ParamValue } from '../../engine/index.ts';
import { type Control, type EncodingSpec, splitList } from '../contract/fields.ts';
import { offers } from '../contract/offered.ts';
import { isUsed, paramControl } from '../contract/parameters.ts';
import type { AnyKind } from '../contract/registry.ts';
import { SpecError } from '../contract/spec.ts';
import { fieldLabel } from '../contract/strings.ts';
import type { Figure } from '../runtime/controller.ts';
import { fieldHelp } from './field-help.ts';
import { INJECTION_GROUPS } from './injection-groups.ts';
import { SLIDER_STEPS, type SliderRange, sliderPosition, sliderValue } from './slider.ts';

/** Whether a slider can select every relevant value. A linear slider cannot if its range is wide. */
const hasSlider = ({ min, max, logarithmic }: SliderRange): boolean => logarithmic || max - min <= 4096;

/** The help of a control: visible, and announced when the control gets the focus. */
const helpText = ({ name, help }: ShownField): TemplateResult | typeof nothing =>
  help ? html`<span class="help" id=${`about-${name}`}>${help}</span>` : nothing;

interface ShownField {
  readonly name: string;
  readonly label: string;
  readonly help: string;
  readonly value: unknown;
  readonly isInvalid: boolean;
  set(value: unknown): void;
}

const textOf = (event: Event): string => (event.target as HTMLInputElement).value;

function numberControl(shownField: ShownField, range: SliderRange): TemplateResult {
  const { name, label, value, isInvalid, set } = shownField;
  return html`<div class="control">
    <label for=${name}>${label}</label>
    <span class="row">
      <input id=${name} type="text" inputmode="decimal" autocomplete="off" spellcheck="false" .value=${String(value)} aria-invalid=${isInvalid} aria-describedby=${`about-${name}`}
        @change=${(event: Event) => set(textOf(event))}>
      ${
        hasSlider(range)
          ? html`<input type="range" min="0" max=${SLIDER_STEPS} aria-label=${label} aria-valuetext=${String(value)}
            .value=${String(sliderPosition(Number(value), range))}
            @input=${(event: Event) => set(sliderValue(Number(textOf(event)), range))}>`
          : nothing
      }
    </span>
    ${helpText(shownField)}
  </div>`;
}

type Option = readonly [value: string, label: string];

/** A select element. Each of `groups` has options and an optional heading. */
function choiceControl(
  shownField: ShownField,
  groups: readonly (readonly [name: string | undefined, options: readonly Option[]])[],
): TemplateResult {
  const { name, label, value, set } = shownField;
  const optionTemplate = ([optionValue, text]: Option) =>
    html`<option value=${optionValue} ?selected=${optionValue === value}>${text}</option>`;
  return html`<div class="control">
    <label for=${name}>${label}</label>
    <select id=${name} aria-describedby=${`about-${name}`} @change=${(event: Event) => set(textOf(event))}>
      ${groups.map(([group, options]) => (group === undefined ? options.map(optionTemplate) : html`<optgroup label=${group}>${options.map(optionTemplate)}</optgroup>`))}
    </select>
    ${helpText(shownField)}
  </div>`;
}

/** Checkboxes for several choices; the value is a comma-separated list. */
function multiSelectControl(shownField: ShownField, choices: readonly Option[]): TemplateResult {
  const { name, label, value, set } = shownField;
  const chosenWords = splitList(String(value));
  const toggleWord = (word: string): void => {
    const nextWords = chosenWords.includes(word) ? chosenWords.filter((chosenWord) => chosenWord !== word) : [...chosenWords, word];
    set(nextWords.join(', '));
  };
  return html`<div class="control wide" role="group" aria-label=${label} aria-describedby=${`about-${name}`}>
    <span class="label" aria-hidden="true">${label}</span>
    <span class="several">${choices.map(
      ([word, text]) =>
        html`<label><input type="checkbox" id=${`${name}-${word}`} .checked=${chosenWords.includes(word)} @change=${() => toggleWord(word)}> ${text}</label>`,
    )}</span>
    ${helpText(shownField)}
  </div>`;
}

function switchControl(shownField: ShownField): TemplateResult {
  const { name, label, value, set } = shownField;
  return html`<div class="control">
    <label for=${name}>${label}</label>
    <span class="row"><input id=${name} type="checkbox" aria-describedby=${`about-${name}`} .checked=${value === true || value === 'true' || value === ''}
      @change=${(event: Event) => set((event.target as HTMLInputElement).checked)}></span>
    ${helpText(shownField)}
  </div>`;
}

function textControl(shownField: ShownField, isLong: boolean): TemplateResult {
  const { name, label, value, isInvalid, set } = shownField;
  return html`<div class="control wide">
    <label for=${name}>${label}</label>
    ${
      isLong
        ? html`<textarea id=${name} rows="2" aria-describedby=${`about-${name}`} .value=${String(value)} aria-invalid=${isInvalid} @change=${(event: Event) => set(textOf(event))}></textarea>`
        : html`<input id=${name} type="text" aria-describedby=${`about-${name}`} .value=${String(value)} aria-invalid=${isInvalid} @change=${(event: Event) => set(textOf(event))}>`
    }
    ${helpText(shownField)}
  </div>`;
}

function controlOf(shownField: ShownField, control: Exclude<Control, { kind: 'encoding' | 'none' }>): TemplateResult {
  switch (control.kind) {
    case 'number':
      return numberControl(shownField, control);
    case 'choice':
      return choiceControl(shownField, [[undefined, control.choices.map((word) => [word, control.labels?.[word] ?? readableId(word)])]]);
    case 'several':
      return multiSelectControl(shownField, control.choices);
    case 'switch':
      return switchControl(shownField);
    case 'text':
      return textControl(shownField, control.long);
  }
}

/** Controls for an encoding, and for those of its parameters that apply and are included. */
function encodingControls(
  shownField: ShownField,
  control: Control & { kind: 'encoding' },
  encodings: readonly EncodingInfo[],
  isIncluded: (name: string) => boolean,
  failedName: string | undefined,
): TemplateResult[] {
  const spec = shownField.value as EncodingSpec;
  const { id, ...params } = spec;
  const offeredEncodings = encodings.filter((info) => offers(control, info));
  const info = encodings.find((one) => one.id === id);
  const encodingChoice = isIncluded(shownField.name)
    ? [
        choiceControl(
          { ...shownField, value: id, set: (next) => shownField.set({ id: next }) },
          INJECTION_GROUPS.map(({ injection, name }) => [
            name,
            offeredEncodings.filter((one) => one.injection === injection).map((one) => [one.id, titles[one.id] ?? readableId(one.id)]),
          ]),
        ),
      ]
    : [];
  const includedParams = (info?.params ?? []).filter((param) => info && isUsed(param, info, params) && isIncluded(param.name));
  return [
    ...encodingChoice,
    ...includedParams.flatMap((param) => {
      const control = paramControl(param);
      if (control.kind === 'none') return [];
      const value = (params[param.name] ?? param.default) as ParamValue;
      const set = (next: unknown): void =>
        shownField.set({
          ...spec,
          [param.name]: control.kind === 'number' && next !== '' && Number.isFinite(Number(next)) ? Number(next) : next,
        });
      const name = `${shownField.name}-${param.name}`;
      return [
        controlOf({ name, label: readableId(param.name), help: param.summary, value, isInvalid: failedName === param.name, set }, control),
      ];
    }),
  ];
}

export interface ControlsOptions {
  /** Names of the displayed fields and parameters; default: all. */
  readonly included: readonly string[] | undefined;
  /** Names of fields and parameters that are displayed elsewhere. */
  readonly excluded?: readonly string[] | undefined;
  readonly locked: readonly string[];
}

/** The values that the controls show. */
export interface ControlsState {
  readonly kind: AnyKind;
  /** Fields by name. */
  readonly values: { readonly [name: string]: unknown };
  readonly encodings: readonly EncodingInfo[];
  /** The name of the field or parameter that the core has rejected. */
  readonly failed?: string | undefined;
  /** The resolved values of automatic fields. */
  readonly resolvedFields?: { readonly [name: string]: unknown } | undefined;
}

/** Controls for all fields that the reader may change, which call `set`; empty if there are none. */
export function controlsShown(
  { kind, values, encodings, failed, resolvedFields = {} }: ControlsState,
  { included, excluded = [], locked, set }: ControlsOptions & { set(name: string, value: unknown): void },
): readonly TemplateResult[] {
  const isIncluded = (name: string): boolean =>
    !locked.includes(name) && (!included || included.includes(name)) && !excluded.includes(name);
  return Object.entries(kind.fields).flatMap(([name, field]) => {
    const { control } = field;
    const labelAndHelp = { label: fieldLabel(kind, name), help: kind.help?.[name] ?? fieldHelp(name) };
    const value = failed === name ? values[name] : (resolvedFields[name] ?? values[name]);
    const shownField: ShownField = { name, ...labelAndHelp, value, isInvalid: failed === name, set: (next) => set(name, next) };
    if (control.kind === 'none' || locked.includes(name)) return [];
    if (control.kind === 'encoding') {
      const parsedValue = typeof value === 'string' ? field.read(value) : value;
      return encodingControls({ ...shownField, value: parsedValue }, control, encodings, isIncluded, failed);
    }
    return isIncluded(name) ? [controlOf(shownField, control)] : [];
  });
}

/** The resolved values of automatic fields for the displayed numbers, unless the reader has changed the spec since. */
function resolvedFieldsOf({ kind, computed, spec }: Figure): ControlsState['resolvedFields'] {
  const latestNumbers = computed.value;
  return latestNumbers?.spec === spec.value ? latestNumbers && kind.resolvedFields?.(latestNumbers.numbers, latestNumbers.spec) : undefined;
}

/** The controls of a live figure; `changed` is called after the reader has set a field. */
export function controlsOf(
  figure: Figure,
  { changed, ...options }: ControlsOptions & { changed(name: string): void },
): readonly TemplateResult[] {
  const spec = figure.spec.value;
  const rawFields = figure.unparsedFields.value;
  const { fields } = figure.kind;
  const values =
    spec instanceof SpecError
      ? Object.fromEntries(Object.entries(fields).map(([name, { initial }]) => [name, rawFields[name] ?? initial]))
      : spec;
  return controlsShown(
    {
      kind: figure.kind,
      values,
      encodings: figure.encodings.value,
      failed: figure.failure.value?.field,
      resolvedFields: resolvedFieldsOf(figure),
    },
    {
      ...options,
      set(name, value) {
        figure.change({ [name]: value });
        changed(name);
      },
    },
  );
}
