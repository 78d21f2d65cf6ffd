// The controls of a figure, made from its fields and from the parameters that its encoding declares.
import { html, nothing, type TemplateResult } from 'lit';
import type { EncodingInfo, ParamValue } from '../../engine/index.ts';
import { spaced } from '../../views/english.ts';
import type { Control, EncodingSpec } from '../contract/fields.ts';
import { offers } from '../contract/offered.ts';
import { isUsed, paramControl } from '../contract/parameters.ts';
import type { AnyKind } from '../contract/registry.ts';
import { SpecError } from '../contract/spec.ts';
import { fieldLabel } from '../contract/words.ts';
import type { Figure } from '../runtime/controller.ts';
import { fieldHelp } from './field-help.ts';
import { type SliderRange, STEPS, sliderPlace, sliderValue } from './slider.ts';

/** Whether a slider can reach every value that matters: not when a wide range begins at 0. */
const slides = ({ min, max, logarithmic }: SliderRange): boolean => logarithmic || max - min <= 4096;

interface Shown {
  readonly name: string;
  readonly label: string;
  readonly help: string;
  readonly value: unknown;
  readonly wrong: boolean;
  set(value: unknown): void;
}

const textOf = (event: Event): string => (event.target as HTMLInputElement).value;

function numberControl({ name, label, help, value, wrong, set }: Shown, range: SliderRange): TemplateResult {
  return html`<div class="control" title=${help}>
    <label for=${name}>${label}</label>
    <span class="row">
      <input id=${name} type="text" inputmode="decimal" autocomplete="off" spellcheck="false" .value=${String(value)} aria-invalid=${wrong}
        @change=${(event: Event) => set(textOf(event))}>
      ${
        slides(range)
          ? html`<input type="range" min="0" max=${STEPS} aria-label=${label} aria-valuetext=${String(value)}
            .value=${String(sliderPlace(Number(value), range))}
            @input=${(event: Event) => set(sliderValue(Number(textOf(event)), range))}>`
          : nothing
      }
    </span>
  </div>`;
}

function choiceControl(
  { name, label, help, value, set }: Shown,
  choices: readonly (readonly [value: string, label: string])[],
): TemplateResult {
  return html`<div class="control" title=${help}>
    <label for=${name}>${label}</label>
    <select id=${name} @change=${(event: Event) => set(textOf(event))}>
      ${choices.map(([word, text]) => html`<option value=${word} ?selected=${word === value}>${text}</option>`)}
    </select>
  </div>`;
}

function switchControl({ name, label, help, value, set }: Shown): TemplateResult {
  return html`<div class="control" title=${help}>
    <label for=${name}>${label}</label>
    <span class="row"><input id=${name} type="checkbox" .checked=${value === true || value === 'true' || value === ''}
      @change=${(event: Event) => set((event.target as HTMLInputElement).checked)}></span>
  </div>`;
}

function textControl({ name, label, help, value, wrong, set }: Shown, long: boolean): TemplateResult {
  return html`<div class="control wide" title=${help}>
    <label for=${name}>${label}</label>
    ${
      long
        ? html`<textarea id=${name} rows="2" .value=${String(value)} aria-invalid=${wrong} @change=${(event: Event) => set(textOf(event))}></textarea>`
        : html`<input id=${name} type="text" .value=${String(value)} aria-invalid=${wrong} @change=${(event: Event) => set(textOf(event))}>`
    }
  </div>`;
}

function controlOf(shown: Shown, control: Exclude<Control, { kind: 'encoding' | 'none' }>): TemplateResult {
  switch (control.kind) {
    case 'number':
      return numberControl(shown, control);
    case 'choice':
      return choiceControl(
        shown,
        control.choices.map((word) => [word, spaced(word)]),
      );
    case 'switch':
      return switchControl(shown);
    case 'text':
      return textControl(shown, control.long);
  }
}

/** The encoding, and its parameters that have an effect. Where a page names controls, parameters are named too. */
function encodingControls(
  shown: Shown,
  control: Control & { kind: 'encoding' },
  encodings: readonly EncodingInfo[],
  wants: (name: string) => boolean,
  failed: string | undefined,
): TemplateResult[] {
  const spec = shown.value as EncodingSpec;
  const { id, ...params } = spec;
  const offered = encodings.filter((info) => offers(control, info));
  const info = encodings.find((one) => one.id === id);
  const whole = wants(shown.name)
    ? [
        choiceControl(
          { ...shown, value: id, set: (next) => shown.set({ id: next }) },
          offered.map((one) => [one.id, spaced(one.id)]),
        ),
      ]
    : [];
  const declared = (info?.params ?? []).filter((param) => info && isUsed(param, info, params) && wants(param.name));
  return [
    ...whole,
    ...declared.flatMap((param) => {
      const control = paramControl(param);
      if (control.kind === 'none') return [];
      const value = (params[param.name] ?? param.default) as ParamValue;
      const set = (next: unknown): void =>
        shown.set({
          ...spec,
          [param.name]: control.kind === 'number' && next !== '' && Number.isFinite(Number(next)) ? Number(next) : next,
        });
      const name = `${shown.name}-${param.name}`;
      return [controlOf({ name, label: spaced(param.name), help: param.summary, value, wrong: failed === param.name, set }, control)];
    }),
  ];
}

export interface ControlsOptions {
  /** Names of fields and parameters that are offered; default: all. */
  readonly only: readonly string[] | undefined;
  readonly locked: readonly string[];
}

/** Whether there is anything that the reader may change. */
export const hasControls = ({ fields }: AnyKind, locked: readonly string[]): boolean =>
  Object.entries(fields).some(([name, { control }]) => control.kind !== 'none' && !locked.includes(name));

/** What controls show. */
export interface ControlsState {
  readonly kind: AnyKind;
  /** Fields by name. */
  readonly values: { readonly [name: string]: unknown };
  readonly encodings: readonly EncodingInfo[];
  /** The field, or the parameter, that the core has refused. */
  readonly failed?: string | undefined;
}

/** The controls of all fields that the reader may change, which call `set`; none when there is nothing to change. */
export function controlsShown(
  { kind, values, encodings, failed }: ControlsState,
  { only, locked, set }: ControlsOptions & { set(name: string, value: unknown): void },
): readonly TemplateResult[] {
  const wants = (name: string): boolean => !locked.includes(name) && (!only || only.includes(name));
  return Object.entries(kind.fields).flatMap(([name, field]) => {
    const { control } = field;
    const words = { label: fieldLabel(kind, name), help: kind.help?.[name] ?? fieldHelp(name) };
    const value = values[name];
    const shown: Shown = { name, ...words, value, wrong: failed === name, set: (next) => set(name, next) };
    if (control.kind === 'none' || locked.includes(name)) return [];
    if (control.kind === 'encoding') {
      const read = typeof value === 'string' ? field.read(value) : value;
      return encodingControls({ ...shown, value: read }, control, encodings, wants, failed);
    }
    return wants(name) ? [controlOf(shown, control)] : [];
  });
}

/** The same of a live figure; `changed`: a field was set by the reader. */
export function controlsOf(
  figure: Figure,
  { changed, ...options }: ControlsOptions & { changed(name: string): void },
): readonly TemplateResult[] {
  const spec = figure.spec.value;
  const given = figure.given.value;
  const { fields } = figure.kind;
  const values =
    spec instanceof SpecError
      ? Object.fromEntries(Object.entries(fields).map(([name, { initial }]) => [name, given[name] ?? initial]))
      : spec;
  return controlsShown(
    { kind: figure.kind, values, encodings: figure.encodings.value, failed: figure.failure.value?.field },
    {
      ...options,
      set(name, value) {
        figure.change({ [name]: value });
        changed(name);
      },
    },
  );
}
