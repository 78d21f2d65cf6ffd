// The reason why a field rejects a value, and the conversion of texts to numbers.
import { STRINGS } from './strings.ts';

/** The reason for rejecting a value: the end of a sentence that begins with the name of the field. */
export class FieldError extends Error {
  /** @param provided the value, formatted by `formatValue`, if the sentence is about the whole value */
  constructor(
    readonly reason: string,
    readonly provided?: string,
  ) {
    super(provided === undefined ? reason : `${provided} ${reason}`);
  }
}

/** A value within a sentence: a text in quotation marks, truncated to fit a line. */
export const formatValue = (given: unknown): string => {
  if (typeof given !== 'string') return typeof given === 'object' && given !== null ? 'an object' : String(given);
  return `“${given.length > 40 ? `${given.slice(0, 40)}…` : given}”`;
};

/**
 * Parses a number or its text.
 * @throws {FieldError}
 */
export function numberOf(given: unknown): number {
  const value = typeof given === 'string' && given.trim() !== '' ? Number(given) : given;
  const isNumeral = typeof value === 'number' && !Number.isNaN(value) && !/infinity/i.test(String(given));
  if (!isNumeral) throw new FieldError(STRINGS.notNumber, formatValue(given));
  if (!Number.isFinite(value)) throw new FieldError(STRINGS.notFinite, formatValue(given));
  return value;
}
