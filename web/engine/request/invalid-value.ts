import { type Allowed, argumentError } from '../errors.ts';
import { inspect, MAX_VALUE_CHARACTERS } from './plain.ts';

const truncateValue = (value: unknown) =>
  typeof value === 'number' ? value : typeof value === 'string' ? value.slice(0, MAX_VALUE_CHARACTERS) : inspect(value);

/** An error such as "heads: true is not a number". */
export const invalidValueError = (path: string, value: unknown, clause: string, allowed?: Allowed) =>
  argumentError(path, `${inspect(value)} ${clause}`, { value: truncateValue(value), allowed });

/** An error such as "heads: 0 is outside 1 to 64". */
export const outOfRangeError = (path: string, value: number, min: number, max: number) =>
  invalidValueError(path, value, `is outside ${min} to ${max}`, { min, max });

/** An error such as 'layout: "rows" is not one of planar, packed'. */
export const notOneOfError = (path: string, value: unknown, allowed: readonly string[]) =>
  invalidValueError(path, value, `is not one of ${allowed.join(', ')}`, allowed);
