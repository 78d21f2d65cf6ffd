// Form fields: a number with a slider, radio buttons, a drop-down list, a switch.
import { html, nothing } from 'lit';
import { live } from 'lit/directives/live.js';
import { formatId } from '../../charts/english.ts';
import { formatNumber } from '../../charts/number.ts';
import { fromSliderPosition, SLIDER_STEPS, type SliderRange, toSliderPosition } from '../../figure/controls/slider.ts';
import { discardDraft, findDraftProblem, getFieldText, storeDraft } from '../state/number-draft.ts';
import { findMessage, renderErrorAt } from './error-message.ts';

interface Control {
  readonly name: string;
  /** Unique id; default: the name. */
  readonly id?: string | undefined;
  readonly label: string;
  /** A one-line description. */
  readonly hint?: string | undefined;
}

export interface NumberControl extends Control {
  readonly value: number;
  /** The allowed range. */
  readonly limits?: { readonly min: number; readonly max: number } | undefined;
  /** Text shown instead of the limits. */
  readonly note?: string | undefined;
  readonly slider?: SliderRange | undefined;
  readonly unit?: string | undefined;
  set(value: number): void;
}

const SUPERSCRIPTS = '⁰¹²³⁴⁵⁶⁷⁸⁹';
const toSuperscript = (exponent: number): string => [...String(exponent)].map((digit) => SUPERSCRIPTS[Number(digit)]).join('');

/** Formats a limit. A large limit of 2 ** n or 2 ** n - 1 is formatted as a power of two. */
function formatLimit(value: number): string {
  const exponent = Math.log2(value % 2 === 1 ? value + 1 : value);
  if (value >= 2 ** 17 && Number.isInteger(exponent)) return `2${toSuperscript(exponent)}`;
  return formatNumber(value, { digits: Number.isInteger(value) && value < 1e6 ? 6 : 4, short: true });
}

const formatLimits = ({ min, max }: NonNullable<NumberControl['limits']>): string =>
  min === 0 && max > 2 ** 20 ? `below ${formatLimit(max)}` : `${formatLimit(min)} to ${formatLimit(max)}`;

export function renderNumberField({ name, id = name, label, value, limits, note, slider, unit, hint, set }: NumberControl) {
  const allowedText = note ?? (limits ? formatLimits(limits) : '');
  const problem = findDraftProblem(id, value, { name, allowed: allowedText });
  const isInvalid = problem !== undefined || findMessage(id) !== undefined;
  /** The value after the latest change, because a second key press may arrive before the next rendering. */
  let currentValue = value;
  const change = (number: number): void => {
    currentValue = number;
    set(number);
  };
  const onInput = (event: Event): void => {
    const number = storeDraft(id, (event.target as HTMLInputElement).value, currentValue);
    if (number !== undefined) change(number);
  };
  const onKeydown = (event: KeyboardEvent): void => {
    const step = event.key === 'ArrowUp' ? 1 : event.key === 'ArrowDown' ? -1 : 0;
    if (step === 0 || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    change(Math.min(limits?.max ?? Number.POSITIVE_INFINITY, Math.max(limits?.min ?? Number.NEGATIVE_INFINITY, currentValue + step)));
  };
  // `live` compares with the text in the field, because typed text may be discarded while the value stays the same.
  return html`
    <div class="control number" ?data-wrong=${isInvalid}>
      <label for=${`field-${id}`}>${label}</label>
      <span class="inputs">
        <input id=${`field-${id}`} class=${limits ? 'long' : ''} name=${name} type="text" inputmode="decimal" autocomplete="off" spellcheck="false"
          .value=${live(getFieldText(id, value))} aria-invalid=${isInvalid} aria-describedby=${`problem-${id} hint-${id} about-${id}`}
          @input=${onInput} @keydown=${onKeydown} @blur=${() => discardDraft(id)}>
        ${
          slider
            ? html`<input type="range" min="0" max=${SLIDER_STEPS} .value=${String(toSliderPosition(value, slider))} aria-label=${`${label}, slider`}
              aria-valuetext=${formatNumber(value)}
              @input=${(event: Event) => change(fromSliderPosition(Number((event.target as HTMLInputElement).value), slider))}>`
            : nothing
        }
      </span>
      <span class="limits" id=${`hint-${id}`}>${allowedText} ${unit ?? nothing}</span>
      ${renderDescription(id, hint)}
      ${renderErrorAt(id, problem)}
    </div>`;
}

/** Renders the description of a control, which screen readers announce on focus. */
const renderDescription = (id: string, hint: string | undefined) =>
  html`<span class="explained" id=${`about-${id}`}>${hint ?? nothing}</span>`;

export interface ChoiceControl<Choice extends string> extends Control {
  readonly value: string;
  readonly choices: readonly Choice[];
  set(choice: Choice): void;
}

export function renderChoiceField<Choice extends string>({ name, id = name, label, value, choices, hint, set }: ChoiceControl<Choice>) {
  return html`
    <div class="control">
      <span class="label">${label}</span>
      <span class="segments" role="radiogroup" aria-label=${label} aria-describedby=${`problem-${id} about-${id}`}>
        ${choices.map(
          (choice) => html`<label class="choice">
          <input type="radio" name=${id} value=${choice} .checked=${choice === value} @change=${() => set(choice)}>
          <span>${formatId(choice)}</span>
        </label>`,
        )}
      </span>
      ${renderDescription(id, hint)}
      ${renderErrorAt(id)}
    </div>`;
}

/** A drop-down list. */
export function renderSelectField<Choice extends string>({ name, id = name, label, value, choices, hint, set }: ChoiceControl<Choice>) {
  return html`
    <div class="control">
      <label for=${`field-${id}`}>${label}</label>
      <select id=${`field-${id}`} name=${name} aria-describedby=${`problem-${id} about-${id}`} .value=${value} @change=${(event: Event) => set((event.target as HTMLSelectElement).value as Choice)}>
        ${choices.map((choice) => html`<option value=${choice} ?selected=${choice === value}>${formatId(choice)}</option>`)}
      </select>
      ${renderDescription(id, hint)}
      ${renderErrorAt(id)}
    </div>`;
}

export function renderSwitchField({ name, id = name, label, value, hint, set }: Control & { value: boolean; set(value: boolean): void }) {
  return html`
    <div class="control">
      <span class="label">${label}</span>
      <label class="switch"><input type="checkbox" role="switch" name=${name} aria-label=${label} aria-describedby=${`problem-${id} about-${id}`} .checked=${value}
        @change=${(event: Event) => set((event.target as HTMLInputElement).checked)}> ${value ? 'yes' : 'no'}</label>
      ${renderDescription(id, hint)}
      ${renderErrorAt(id)}
    </div>`;
}
