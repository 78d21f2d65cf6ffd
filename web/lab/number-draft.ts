// What stands in the number field that is being typed in. On the way to 1e6 there is '1e', which is no number and must not be lost.
import { signal } from '@preact/signals-core';

interface Draft {
  readonly field: string;
  readonly text: string;
  /** The number the field had then: with another one, somebody else has set it since. */
  readonly value: number;
}

const draft = signal<Draft | undefined>(undefined);

/** The number a text spells; undefined when it is none, or none that 64 bits can hold. */
export function numberIn(text: string): number | undefined {
  const value = /^\s*[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?\s*$/i.test(text) ? Number(text) : Number.NaN;
  return Number.isFinite(value) ? value : undefined;
}

/** Takes what the reader has typed; returns its number, or undefined while it is none. */
export function type(field: string, text: string, value: number): number | undefined {
  const typed = numberIn(text);
  draft.value = { field, text, value: typed ?? value };
  return typed;
}

/** The reader leaves a field: it shows its number again. */
export function leave(field: string): void {
  if (draft.peek()?.field === field) draft.value = undefined;
}

/** What to show in a field whose number is `value`. */
export function textOf(field: string, value: number): string {
  const now = draft.value;
  if (now?.field === field && Object.is(now.value, value)) return now.text;
  return String(value);
}

/** What is wrong with the text of a field, as the beginning of a sentence that names it and what is allowed. */
export function draftProblem(field: string, value: number, { name, allowed }: { name: string; allowed: string }): string | undefined {
  const text = textOf(field, value);
  if (numberIn(text) !== undefined) return undefined;
  return `${name}: ${text.trim() ? `“${text}” is not a number` : 'a number is missing'}${allowed ? ` (${allowed})` : ''}`;
}
