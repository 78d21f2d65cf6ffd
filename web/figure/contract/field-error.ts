// The reason why a field rejects a value, and the conversion of texts to numbers.
import { STRINGS } from './strings.ts';

/** The error for a value that a field rejects. The message continues a sentence that begins with the name of the field. */
export class FieldError extends Error {
  /** @param provided the value, formatted by `formatValue`, if the message begins with the value */
  constructor(
    readonly reason: string,
    readonly provided?: string,
  ) {
    super(provided === undefined ? reason : `${provided} ${reason}`);
  }
}

/** A value within a sentence: a text in quotation marks, truncated to fit a line. */
export const formatValue = (input: unknown): string => {
  if (typeof input !== 'string') return typeof input === 'object' && input !== null ? 'an object' : String(input);
  return `“${input.length > 40 ? `${input.slice(0, 40)}…` : input}”`;
};

/**
 * Parses a number or its text.
 * @throws {FieldError}
 */
export function parseNumber(input: unknown): number {
  const value = typeof input === 'string' && input.trim() !== '' ? Number(input) : input;
  const isNumeral = typeof value === 'number' && !Number.isNaN(value) && !/infinity/i.test(String(input));
  if (!isNumeral) throw new FieldError(STRINGS.notNumber, formatValue(input));
  if (!Number.isFinite(value)) throw new FieldError(STRINGS.notFinite, formatValue(input));
  return value;
}
