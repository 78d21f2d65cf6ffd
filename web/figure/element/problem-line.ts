// What is said where a part of a figure cannot be shown: a fault in one must not take the others along.
import { html, nothing, type TemplateResult } from 'lit';
import { messageOf } from '../../engine/errors/thrown.ts';

export function attempt<Result>(make: () => Result, otherwise: (message: string) => Result): Result {
  try {
    return make();
  } catch (thrown) {
    console.error(thrown);
    return otherwise(messageOf(thrown));
  }
}

export const problemLine = (message: string, more: unknown = nothing): TemplateResult =>
  html`<p class="problem" part="problem" role="alert">${message}${more}</p>`;

/** A part of the figure, or why it cannot be shown. */
export const part = (make: () => TemplateResult | typeof nothing): TemplateResult | typeof nothing => attempt(make, problemLine);
