// Changes of positions as one text of JSON, because requests have no lists of objects (cpp/wasm/changes.cpp).

import { PhasorError, refusal } from '../errors.ts';
import { isPlain } from '../request/plain.ts';
import { refusedValue } from '../request/refused-value.ts';

/** The field of a request; undefined without changes. */
export function changesText(changes: unknown): string | undefined {
  if (changes === undefined || changes === null) return undefined;
  if (!Array.isArray(changes)) throw refusedValue('changes', changes, 'is not a list of changes');
  changes.forEach((change: unknown, at) => {
    if (typeof change !== 'object' || change === null || !isPlain(change))
      throw refusedValue(`changes[${at}]`, change, 'is not an object with a kind');
    const { kind } = change as { kind?: unknown };
    if (typeof kind !== 'string') throw refusedValue(`changes[${at}].kind`, kind, 'is not the kind of a change');
  });
  if (changes.length === 0) return undefined;
  try {
    // Under their numbers: the reader of JSON takes lists of values alone.
    return JSON.stringify({ changes: Object.fromEntries(changes.entries()) }, (_, value: unknown) =>
      ArrayBuffer.isView(value) ? Array.from(value as Float32Array) : value,
    );
  } catch (thrown) {
    throw refusal('changes', `they cannot be read (${PhasorError.from(thrown).message})`);
  }
}
