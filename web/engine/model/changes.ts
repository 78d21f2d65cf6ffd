// Serializes the option `changes` as JSON, because request fields cannot contain lists of objects. cpp/wasm/changes.cpp parses it.

import { argumentError, PhasorError } from '../errors.ts';
import { invalidValueError } from '../request/invalid-value.ts';
import { isPlain } from '../request/plain.ts';

/** The fields of each kind of change, besides `layers` and `heads`. All except `window` are required. */
const FIELDS: { readonly [kind: string]: readonly string[] } = {
  none: [],
  layout: [],
  zero_ablation: [],
  mean_ablation: [],
  skip: [],
  shift: ['shift'],
  order: ['order'],
  params: ['params'],
  clip: ['clip'],
  still: ['pairsBegin', 'pairsEnd'],
  drop: ['pairsBegin', 'pairsEnd'],
  window: ['window'],
};
const KNOWN_FIELDS = new Set(Object.values(FIELDS).flat());

/** Rejects fields that a change of this kind would ignore. The core rejects unknown kinds and fields. */
function checkFields(path: string, kind: string, change: { readonly [field: string]: unknown }): void {
  const fieldsOfKind = Object.hasOwn(FIELDS, kind) ? FIELDS[kind] : undefined;
  if (!fieldsOfKind) return;
  const isPresent = (field: string) => change[field] !== undefined;
  for (const field of KNOWN_FIELDS) {
    if (isPresent(field) && !fieldsOfKind.includes(field))
      throw argumentError(
        `${path}.${field}`,
        `a change of kind ${kind} has no such field; expected ${[...fieldsOfKind, 'layers', 'heads'].join(', ')}`,
      );
  }
  const missingField = fieldsOfKind.find((field) => field !== 'window' && !isPresent(field));
  if (missingField) throw argumentError(`${path}.${missingField}`, `is missing, but a change of kind ${kind} requires it`);
  for (const listField of ['layers', 'heads'])
    if ((change[listField] as { readonly length?: unknown } | undefined | null)?.length === 0)
      throw argumentError(`${path}.${listField}`, 'the list is empty; expected at least one index, or no list to select all');
}

/** Returns the changes as JSON, or undefined if there are none. */
export function serializeChanges(changes: unknown): string | undefined {
  if (changes === undefined || changes === null) return undefined;
  if (!Array.isArray(changes)) throw invalidValueError('changes', changes, 'is not a list of changes');
  changes.forEach((change: unknown, at) => {
    if (typeof change !== 'object' || change === null || !isPlain(change))
      throw invalidValueError(`changes[${at}]`, change, 'is not an object with the field kind');
    const { kind } = change as { kind?: unknown };
    if (typeof kind !== 'string') throw invalidValueError(`changes[${at}].kind`, kind, 'is not a kind of change');
    checkFields(`changes[${at}]`, kind, change as { readonly [field: string]: unknown });
  });
  if (changes.length === 0) return undefined;
  try {
    // The core's JSON parser accepts only lists of scalars, so the list becomes an object whose keys are the indices.
    return JSON.stringify({ changes: Object.fromEntries(changes.entries()) }, (_, value: unknown) =>
      ArrayBuffer.isView(value) ? Array.from(value as Float32Array) : value,
    );
  } catch (thrown) {
    throw argumentError('changes', `cannot be read (${PhasorError.from(thrown).message})`);
  }
}
