// Errors about a value that the caller provided.

import { type Allowed, argumentError } from '../errors.ts';
import { inspect, MAX_SHOWN } from './plain.ts';

const truncateValue = (value: unknown) =>
  typeof value === 'number' ? value : typeof value === 'string' ? value.slice(0, MAX_SHOWN) : inspect(value);

/** An error such as "heads: true is not a number". */
export const invalidValue = (path: string, value: unknown, clause: string, allowed?: Allowed) =>
  argumentError(path, `${inspect(value)} ${clause}`, { value: truncateValue(value), allowed });

/** An error such as "heads: 0 is outside 1 to 64". */
export const outOfRange = (path: string, value: number, min: number, max: number) =>
  invalidValue(path, value, `is outside ${min} to ${max}`, { min, max });

/** An error such as 'layout: "rows" is not one of planar, packed'. */
export const notOneOf = (path: string, value: unknown, allowed: readonly string[]) =>
  invalidValue(path, value, `is not one of ${allowed.join(', ')}`, allowed);
