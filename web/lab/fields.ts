// A number: typed, or moved by a slider; and a choice of few words.
import { html, nothing } from 'lit';
import { formatNumber } from '../views/number.ts';
import { faultAt, messageAt } from './fault.ts';

export interface NumberControl {
  readonly name: string;
  readonly label: string;
  readonly value: number;
  /** Range of the slider, and what is said about it; no slider without it. */
  readonly range?: { readonly min: number; readonly max: number; readonly logarithmic: boolean } | undefined;
  readonly whole?: boolean;
  readonly unit?: string | undefined;
  readonly hint?: string | undefined;
  set(value: number): void;
}

const STEPS = 1000;

/** Where a value stands on a slider of 1000 steps. */
export function sliderAt(value: number, { min, max, logarithmic }: NonNullable<NumberControl['range']>): number {
  const share = logarithmic ? Math.log(value / min) / Math.log(max / min) : (value - min) / (max - min);
  return Math.round(STEPS * Math.min(1, Math.max(0, share || 0)));
}

/** The value of a place on the slider, rounded to what a reader can use. */
export function sliderValue(step: number, { min, max, logarithmic }: NonNullable<NumberControl['range']>, whole = false): number {
  const share = step / STEPS;
  const exact = logarithmic ? min * (max / min) ** share : min + (max - min) * share;
  if (whole) return Math.round(exact);
  return Math.min(max, Math.max(min, Number(exact.toPrecision(logarithmic ? 4 : 6))));
}

export function numberField({ name, label, value, range, whole = false, unit, hint, set }: NumberControl) {
  const wrong = messageAt(name) !== undefined;
  const limits = range ? `${formatNumber(range.min, { digits: 4, short: true })} to ${formatNumber(range.max, { short: true })}` : hint;
  const typed = (event: Event): void => {
    const { value: text } = event.target as HTMLInputElement;
    set(text.trim() === '' ? Number.NaN : Number(text));
  };
  return html`
    <div class="control number" ?data-wrong=${wrong}>
      <label for=${`field-${name}`}>${label}</label>
      <span class="inputs">
        <input id=${`field-${name}`} class=${range ? 'long' : ''} name=${name} type="number" inputmode="decimal" step=${whole ? 1 : 'any'} .value=${Number.isNaN(value) ? '' : String(value)}
          aria-invalid=${wrong} aria-describedby=${`problem-${name} hint-${name}`} @input=${typed}>
        ${unit ? html`<span class="unit">${unit}</span>` : nothing}
        ${
          range
            ? html`<input type="range" min="0" max=${STEPS} .value=${String(sliderAt(value, range))} aria-label=${`${label}, slider`}
              aria-valuetext=${formatNumber(value)}
              @input=${(event: Event) => set(sliderValue(Number((event.target as HTMLInputElement).value), range, whole))}>`
            : nothing
        }
      </span>
      <span class="limits" id=${`hint-${name}`}>${limits ?? nothing}</span>
      ${faultAt(name)}
    </div>`;
}

export interface ChoiceControl<Word extends string> {
  readonly name: string;
  readonly label: string;
  readonly value: string;
  readonly words: readonly Word[];
  readonly hint?: string | undefined;
  /** How a word is shown, when not as it is. */
  readonly shown?: (word: Word) => string;
  set(word: Word): void;
}

export function choiceField<Word extends string>({ name, label, value, words, hint, shown, set }: ChoiceControl<Word>) {
  return html`
    <div class="control">
      <span class="label" id=${`label-${name}`}>${label}</span>
      <span class="segments" role="radiogroup" aria-label=${label} title=${hint ?? nothing}>
        ${words.map(
          (word) => html`<label class="choice">
          <input type="radio" name=${name} value=${word} .checked=${word === value} @change=${() => set(word)}>
          <span>${shown?.(word) ?? word.replaceAll('_', ' ')}</span>
        </label>`,
        )}
      </span>
    </div>`;
}

export function switchField({ name, label, value, set }: { name: string; label: string; value: boolean; set(value: boolean): void }) {
  return html`
    <div class="control">
      <label class="switch"><input type="checkbox" role="switch" name=${name} .checked=${value}
        @change=${(event: Event) => set((event.target as HTMLInputElement).checked)}> ${label}</label>
    </div>`;
}
