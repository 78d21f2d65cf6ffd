import { STRINGS } from './strings.ts';

/** The error that a field throws for an invalid value. The name of the field is prepended to the message. */
export class FieldError extends Error {
  /** @param provided the value, formatted by `formatValue`, if the message is to begin with it */
  constructor(
    readonly reason: string,
    readonly provided?: string,
  ) {
    super(provided === undefined ? reason : `${provided} ${reason}`);
  }
}

/** Formats a value for a sentence. Texts are quoted and truncated to 40 characters. */
export const formatValue = (input: unknown): string => {
  if (typeof input !== 'string') return typeof input === 'object' && input !== null ? 'an object' : String(input);
  return `“${input.length > 40 ? `${input.slice(0, 40)}…` : input}”`;
};

/**
 * Parses a number, which may be given as text.
 * @throws {FieldError}
 */
export function parseNumber(input: unknown): number {
  const value = typeof input === 'string' && input.trim() !== '' ? Number(input) : input;
  const isNumeral = typeof value === 'number' && !Number.isNaN(value) && !/infinity/i.test(String(input));
  if (!isNumeral) throw new FieldError(STRINGS.notNumber, formatValue(input));
  if (!Number.isFinite(value)) throw new FieldError(STRINGS.notFinite, formatValue(input));
  return value;
}
