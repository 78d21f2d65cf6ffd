// The text in the number field that is being edited. Incomplete text, such as '1e' while typing '1e6', is not a number but must be kept.
import { signal } from '@preact/signals-core';
import { STRINGS } from '../../figure/contract/strings.ts';

interface Draft {
  readonly field: string;
  readonly text: string;
  /** The number of the field after the text was typed. If the field has another number, the text is outdated. */
  readonly value: number;
}

const draft = signal<Draft | undefined>(undefined);

export function parseNumber(text: string): number | undefined {
  const value = isNumeral(text) ? Number(text) : Number.NaN;
  return Number.isFinite(value) ? value : undefined;
}

const isNumeral = (text: string): boolean => /^\s*[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?\s*$/i.test(text);

/** Stores the typed text. @returns the number, or undefined while the text is not a number */
export function storeDraft(field: string, text: string, value: number): number | undefined {
  const typedNumber = parseNumber(text);
  draft.value = { field, text, value: typedNumber ?? value };
  return typedNumber;
}

/** Discards the text of a field when the field loses the focus, so that it shows its number. */
export function discardDraft(field: string): void {
  if (draft.peek()?.field === field) draft.value = undefined;
}

/** Returns the text to display in a field whose number is `value`. */
export function fieldText(field: string, value: number): string {
  const currentDraft = draft.value;
  if (currentDraft?.field === field && Object.is(currentDraft.value, value)) return currentDraft.text;
  return String(value);
}

/** Returns an error message with the name and the accepted values of a field; undefined if its text is valid. */
export function findDraftProblem(field: string, value: number, { name, allowed }: { name: string; allowed: string }): string | undefined {
  const text = fieldText(field, value);
  if (parseNumber(text) !== undefined) return undefined;
  const reason = isNumeral(text) ? STRINGS.notFinite : STRINGS.notNumber;
  return `${name}: ${text.trim() ? `“${text}” ${reason}` : 'a number is missing'}${allowed ? ` (${allowed})` : ''}`;
}
