import { STRINGS } from './strings.ts';

/** Thrown by a field for an invalid value. `readSpec` rethrows it as a SpecError with the field's name. */
export class FieldError extends Error {
  /** @param provided the invalid value, formatted by `formatValue`; if set, the message begins with it */
  constructor(
    readonly reason: string,
    readonly provided?: string,
  ) {
    super(provided === undefined ? reason : `${provided} ${reason}`);
  }
}

/** Formats a value for an error message. Strings are quoted and truncated to 40 characters. */
export const formatValue = (input: unknown): string => {
  if (typeof input !== 'string') return typeof input === 'object' && input !== null ? 'an object' : String(input);
  return `“${input.length > 40 ? `${input.slice(0, 40)}…` : input}”`;
};

/**
 * Parses a number or a numeric string.
 * @throws {FieldError}
 */
export function parseNumber(input: unknown): number {
  const value = typeof input === 'string' && input.trim() !== '' ? Number(input) : input;
  const isNumeral = typeof value === 'number' && !Number.isNaN(value) && !/infinity/i.test(String(input));
  if (!isNumeral) throw new FieldError(STRINGS.notNumber, formatValue(input));
  if (!Number.isFinite(value)) throw new FieldError(STRINGS.notFinite, formatValue(input));
  return value;
}
