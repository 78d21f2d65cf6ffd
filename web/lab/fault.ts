// What is wrong, said at the control where it was entered.
import { html, nothing } from 'lit';
import { paramField } from './blame.ts';
import { encoding, fault, state } from './store.ts';

/** Controls that have a place of their own for their errors; all others' stand under the encodings. */
const OWN = new Set(['heads', 'width', 'offset', 'seed']);

function placeOf(field: string): string {
  if (field.startsWith('param-') || (OWN.has(field) && (field !== 'seed' || state.value.projections === 'orthogonal'))) return field;
  return encoding.value?.params.some(({ name, kind }) => name === field && kind !== 'tensor') ? paramField(field) : 'encoding';
}

/** The sentence for a control, when the newest error is about it. */
export const messageAt = (field: string): string | undefined =>
  fault.value && placeOf(fault.value.field) === field ? fault.value.message : undefined;

/** What is wrong at a control; `typed` is about what stands in it, which has not been used. */
export function faultAt(field: string, typed?: string) {
  const message = typed ?? messageAt(field);
  const meanwhile =
    typed !== undefined
      ? 'The last number stays.'
      : fault.value?.shown === 'plain'
        ? 'The picture shows the sentence without an encoding.'
        : 'The last picture stays.';
  return html`<p class="problem" id=${`problem-${field}`} data-field=${field} role="alert">${message ? html`${message}. ${meanwhile}` : nothing}</p>`;
}
