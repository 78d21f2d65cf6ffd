// Renders a figure's controls from its fields and its encoding's parameters.

import titles from 'virtual:encoding-titles';
import { html, nothing, type TemplateResult } from 'lit';
import { formatId } from '../../charts/english.ts';
import type { EncodingInfo, ParamValue } from '../../engine/index.ts';
import { type Control, type EncodingSpec, splitList } from '../contract/fields.ts';
import { matchesFilter } from '../contract/offered.ts';
import { createParamControl, isUsed } from '../contract/parameters.ts';
import type { AnyKind } from '../contract/registry.ts';
import { SpecError } from '../contract/spec.ts';
import { getFieldLabel } from '../contract/strings.ts';
import type { Figure } from '../runtime/controller.ts';
import { getFieldHelp } from './field-help.ts';
import { INJECTION_GROUPS } from './injection-groups.ts';
import { fromSliderPosition, SLIDER_STEPS, type SliderRange, toSliderPosition } from './slider.ts';

/** Whether a slider is useful. With a wide linear range, a slider could not reach many of the values. */
const hasSlider = ({ min, max, logarithmic }: SliderRange): boolean => logarithmic || max - min <= 4096;

/** Renders a control's help text, which screen readers announce on focus. */
const renderHelp = ({ name, help }: ControlField): TemplateResult | typeof nothing =>
  help ? html`<span class="help" id=${`about-${name}`}>${help}</span>` : nothing;

interface ControlField {
  readonly name: string;
  readonly label: string;
  readonly help: string;
  readonly value: unknown;
  readonly isInvalid: boolean;
  set(value: unknown): void;
}

const getInputText = (event: Event): string => (event.target as HTMLInputElement).value;

function renderNumberControl(controlField: ControlField, range: SliderRange): TemplateResult {
  const { name, label, value, isInvalid, set } = controlField;
  return html`<div class="control">
    <label for=${name}>${label}</label>
    <span class="row">
      <input id=${name} type="text" inputmode="decimal" autocomplete="off" spellcheck="false" .value=${String(value)} aria-invalid=${isInvalid} aria-describedby=${`about-${name}`}
        @change=${(event: Event) => set(getInputText(event))}>
      ${
        hasSlider(range)
          ? html`<input type="range" min="0" max=${SLIDER_STEPS} aria-label=${label} aria-valuetext=${String(value)}
            .value=${String(toSliderPosition(Number(value), range))}
            @input=${(event: Event) => set(fromSliderPosition(Number(getInputText(event)), range))}>`
          : nothing
      }
    </span>
    ${renderHelp(controlField)}
  </div>`;
}

type Option = readonly [value: string, label: string];

/** Renders a select element. Groups of options may have a heading. */
function renderSelect(
  controlField: ControlField,
  groups: readonly (readonly [name: string | undefined, options: readonly Option[]])[],
): TemplateResult {
  const { name, label, value, set } = controlField;
  const renderOption = ([optionValue, text]: Option) =>
    html`<option value=${optionValue} ?selected=${optionValue === value}>${text}</option>`;
  return html`<div class="control">
    <label for=${name}>${label}</label>
    <select id=${name} aria-describedby=${`about-${name}`} @change=${(event: Event) => set(getInputText(event))}>
      ${groups.map(([groupName, options]) => (groupName === undefined ? options.map(renderOption) : html`<optgroup label=${groupName}>${options.map(renderOption)}</optgroup>`))}
    </select>
    ${renderHelp(controlField)}
  </div>`;
}

/** Renders a checkbox for each choice. The field's value is a comma-separated list. */
function renderMultiSelect(controlField: ControlField, choices: readonly Option[]): TemplateResult {
  const { name, label, value, set } = controlField;
  const selectedValues = splitList(String(value));
  const toggleValue = (optionValue: string): void => {
    const nextValues = selectedValues.includes(optionValue)
      ? selectedValues.filter((selectedValue) => selectedValue !== optionValue)
      : [...selectedValues, optionValue];
    set(nextValues.join(', '));
  };
  return html`<div class="control wide" role="group" aria-label=${label} aria-describedby=${`about-${name}`}>
    <span class="label" aria-hidden="true">${label}</span>
    <span class="several">${choices.map(
      ([optionValue, text]) =>
        html`<label><input type="checkbox" id=${`${name}-${optionValue}`} .checked=${selectedValues.includes(optionValue)} @change=${() => toggleValue(optionValue)}> ${text}</label>`,
    )}</span>
    ${renderHelp(controlField)}
  </div>`;
}

function renderSwitch(controlField: ControlField): TemplateResult {
  const { name, label, value, set } = controlField;
  return html`<div class="control">
    <label for=${name}>${label}</label>
    <span class="row"><input id=${name} type="checkbox" aria-describedby=${`about-${name}`} .checked=${value === true || value === 'true' || value === ''}
      @change=${(event: Event) => set((event.target as HTMLInputElement).checked)}></span>
    ${renderHelp(controlField)}
  </div>`;
}

function renderTextControl(controlField: ControlField, isLong: boolean): TemplateResult {
  const { name, label, value, isInvalid, set } = controlField;
  return html`<div class="control wide">
    <label for=${name}>${label}</label>
    ${
      isLong
        ? html`<textarea id=${name} rows="2" aria-describedby=${`about-${name}`} .value=${String(value)} aria-invalid=${isInvalid} @change=${(event: Event) => set(getInputText(event))}></textarea>`
        : html`<input id=${name} type="text" aria-describedby=${`about-${name}`} .value=${String(value)} aria-invalid=${isInvalid} @change=${(event: Event) => set(getInputText(event))}>`
    }
    ${renderHelp(controlField)}
  </div>`;
}

function renderControl(controlField: ControlField, control: Exclude<Control, { kind: 'encoding' | 'none' }>): TemplateResult {
  switch (control.kind) {
    case 'number':
      return renderNumberControl(controlField, control);
    case 'choice':
      return renderSelect(controlField, [
        [undefined, control.choices.map((optionValue) => [optionValue, control.labels?.[optionValue] ?? formatId(optionValue)])],
      ]);
    case 'several':
      return renderMultiSelect(controlField, control.choices);
    case 'switch':
      return renderSwitch(controlField);
    case 'text':
      return renderTextControl(controlField, control.long);
  }
}

/** Renders the encoding's select element and a control for each included parameter that has an effect. */
function renderEncodingControls(
  controlField: ControlField,
  control: Control & { kind: 'encoding' },
  encodings: readonly EncodingInfo[],
  isIncluded: (name: string) => boolean,
  rejectedName: string | undefined,
): TemplateResult[] {
  const spec = controlField.value as EncodingSpec;
  const { id, ...params } = spec;
  const offeredEncodings = encodings.filter((candidate) => matchesFilter(control, candidate));
  const info = encodings.find((candidate) => candidate.id === id);
  const encodingSelects = isIncluded(controlField.name)
    ? [
        renderSelect(
          { ...controlField, value: id, set: (nextValue) => controlField.set({ id: nextValue }) },
          INJECTION_GROUPS.map(({ injection, name }) => [
            name,
            offeredEncodings
              .filter((candidate) => candidate.injection === injection)
              .map((candidate) => [candidate.id, titles[candidate.id] ?? formatId(candidate.id)]),
          ]),
        ),
      ]
    : [];
  const includedParams = (info?.params ?? []).filter((param) => info && isUsed(param, info, params) && isIncluded(param.name));
  return [
    ...encodingSelects,
    ...includedParams.flatMap((param) => {
      const control = createParamControl(param);
      if (control.kind === 'none') return [];
      const value = (params[param.name] ?? param.default) as ParamValue;
      const set = (nextValue: unknown): void =>
        controlField.set({
          ...spec,
          [param.name]: control.kind === 'number' && nextValue !== '' && Number.isFinite(Number(nextValue)) ? Number(nextValue) : nextValue,
        });
      const name = `${controlField.name}-${param.name}`;
      return [
        renderControl(
          { name, label: formatId(param.name), help: param.summary, value, isInvalid: rejectedName === param.name, set },
          control,
        ),
      ];
    }),
  ];
}

export interface ControlsOptions {
  /** Names of the fields and parameters to render; default: all. */
  readonly included: readonly string[] | undefined;
  /** Names of fields and parameters that are rendered elsewhere. */
  readonly excluded?: readonly string[] | undefined;
  readonly locked: readonly string[];
}

export interface ControlsState {
  readonly kind: AnyKind;
  readonly values: { readonly [name: string]: unknown };
  readonly encodings: readonly EncodingInfo[];
  readonly rejectedName?: string | undefined;
  /** The values chosen for automatic fields, such as a length of 0. */
  readonly resolvedFields?: { readonly [name: string]: unknown } | undefined;
}

/** Renders a control for each field that is not locked. Controls call `set` with the new value. */
export function renderFieldControls(
  { kind, values, encodings, rejectedName, resolvedFields = {} }: ControlsState,
  { included, excluded = [], locked, set }: ControlsOptions & { set(name: string, value: unknown): void },
): readonly TemplateResult[] {
  const isIncluded = (name: string): boolean =>
    !locked.includes(name) && (!included || included.includes(name)) && !excluded.includes(name);
  return Object.entries(kind.fields).flatMap(([name, field]) => {
    const { control } = field;
    const labelAndHelp = { label: getFieldLabel(kind, name), help: kind.help?.[name] ?? getFieldHelp(name) };
    const value = rejectedName === name ? values[name] : (resolvedFields[name] ?? values[name]);
    const controlField: ControlField = {
      name,
      ...labelAndHelp,
      value,
      isInvalid: rejectedName === name,
      set: (nextValue) => set(name, nextValue),
    };
    if (control.kind === 'none' || locked.includes(name)) return [];
    if (control.kind === 'encoding') {
      const parsedValue = typeof value === 'string' ? field.read(value) : value;
      return renderEncodingControls({ ...controlField, value: parsedValue }, control, encodings, isIncluded, rejectedName);
    }
    return isIncluded(name) ? [renderControl(controlField, control)] : [];
  });
}

/** Returns the values chosen for automatic fields, or undefined if the displayed results do not belong to the current spec. */
function readResolvedFields({ kind, computed, spec }: Figure): ControlsState['resolvedFields'] {
  const latestResult = computed.value;
  return latestResult?.spec === spec.value ? latestResult && kind.resolvedFields?.(latestResult.results, latestResult.spec) : undefined;
}

/** Renders a figure's controls. `changed` is called with the name of each field that the user sets. */
export function renderControls(
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
  return renderFieldControls(
    {
      kind: figure.kind,
      values,
      encodings: figure.encodings.value,
      rejectedName: figure.failure.value?.field,
      resolvedFields: readResolvedFields(figure),
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
