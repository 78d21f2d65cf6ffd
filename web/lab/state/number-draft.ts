// The text in the number field that is being edited. Incomplete text, such as '1e' while the user types '1e6', must be kept.
import { signal } from '@preact/signals-core';
import { STRINGS } from '../../figure/contract/strings.ts';

interface NumberDraft {
  readonly field: string;
  readonly text: string;
  /** The field's value after the text was typed. If the field has another value now, the text is outdated. */
  readonly value: number;
}

const draft = signal<NumberDraft | undefined>(undefined);

export function parseNumber(text: string): number | undefined {
  const value = isNumeral(text) ? Number(text) : Number.NaN;
  return Number.isFinite(value) ? value : undefined;
}

const isNumeral = (text: string): boolean => /^\s*[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?\s*$/i.test(text);

/** Stores the typed text. @returns its value, or undefined while the text is not a number */
export function storeDraft(field: string, text: string, value: number): number | undefined {
  const typedNumber = parseNumber(text);
  draft.value = { field, text, value: typedNumber ?? value };
  return typedNumber;
}

/** Discards a field's text when the field loses the focus, so that its value is displayed again. */
export function discardDraft(field: string): void {
  if (draft.peek()?.field === field) draft.value = undefined;
}

/** Returns the text to display in a field with the given value. */
export function getFieldText(field: string, value: number): string {
  const currentDraft = draft.value;
  if (currentDraft?.field === field && Object.is(currentDraft.value, value)) return currentDraft.text;
  return String(value);
}

/** Returns an error message with the field's name and accepted values; undefined if the field's text is valid. */
export function findDraftProblem(field: string, value: number, { name, allowed }: { name: string; allowed: string }): string | undefined {
  const text = getFieldText(field, value);
  if (parseNumber(text) !== undefined) return undefined;
  const reason = isNumeral(text) ? STRINGS.notFinite : STRINGS.notNumber;
  return `${name}: ${text.trim() ? `“${text}” ${reason}` : 'a number is missing'}${allowed ? ` (${allowed})` : ''}`;
}
