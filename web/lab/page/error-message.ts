// Renders error messages at the controls that caused them.
import { html, nothing } from 'lit';
import { CONTROL_STRINGS, ERROR_STRINGS as STRINGS } from '../error-strings.ts';
import { paramField } from '../state/error-field.ts';
import { change, encoding, type InputError, inputError, outcome, state } from '../state/store.ts';

/** Returns the control that shows errors about `field`: the control of the field, or 'encoding' if there is none. */
export function findErrorTarget(field: string): string {
  if (
    field.startsWith('param-') ||
    (Object.hasOwn(CONTROL_STRINGS, field) && (field !== 'seed' || state.value.projections === 'orthogonal'))
  )
    return field;
  return encoding.value?.params.some(({ name, kind }) => name === field && kind !== 'tensor') ? paramField(field) : 'encoding';
}

/** Returns the latest error if it is about the control `field`. */
const findError = (field: string): InputError | undefined =>
  inputError.value && findErrorTarget(inputError.value.field) === field ? inputError.value : undefined;

export const findMessage = (field: string): string | undefined => findError(field)?.message;

/** Renders a button that removes an array whose shape no longer matches, for example after the number of heads has changed. */
function renderRemoveButton(name = '') {
  const { [name]: provided, ...params } = state.value.params;
  if (typeof provided !== 'object') return nothing;
  return html` <button type="button" class="plain" @click=${() => change({ params }, paramField(name))}>${STRINGS.useDefault(name)}</button>`;
}

const renderErrorLine = (
  field: string,
  { message, argument }: { readonly message?: string; readonly argument?: string | undefined },
  effectText: string,
) =>
  html`<p class="problem" id=${`problem-${field}`} data-field=${field} role="alert">${message ? html`${message}. ${effectText}${renderRemoveButton(argument)}` : nothing}</p>`;

const formatEffect = (): string => (outcome.value ? STRINGS.lastSettingShown : '');

/** Renders the error line of a control. `draftProblem` is the message about typed text that is not a valid number. */
export const renderErrorAt = (field: string, draftProblem?: string) =>
  draftProblem === undefined
    ? renderErrorLine(field, findError(field) ?? {}, formatEffect())
    : renderErrorLine(field, { message: draftProblem }, STRINGS.lastValueKept);

/** Renders the latest error of any control, for layouts in which the controls are hidden. */
export const renderLatestError = () => renderErrorLine('encoding', inputError.value ?? {}, formatEffect());
