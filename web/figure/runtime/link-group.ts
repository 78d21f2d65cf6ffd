// Linked figures share the cursor and the fields that the user changes in any of them.
import { type Signal, signal } from '@preact/signals-core';
import type { Cursor } from '../../charts/scene.ts';
import type { EncodingInfo } from '../../engine/index.ts';
import { FieldError, type FieldTable } from '../contract/fields.ts';
import { matchesFilter } from '../contract/offered.ts';
import type { RawFields } from '../contract/spec.ts';
import { getFieldLabel, STRINGS } from '../contract/strings.ts';

/** The fields that linked figures share. Parameters are shared together with their encoding. */
export const SHARED_FIELDS: readonly string[] = [
  'text',
  'order',
  'encoding',
  'mask',
  'heads',
  'head',
  'projections',
  'seed',
  'positionOffset',
  'dim',
];

export interface LinkGroup {
  readonly cursor: Signal<Cursor>;
  /** The latest value of each field that the user has changed. */
  readonly fieldChanges: Signal<RawFields>;
}

export const createLinkGroup = (): LinkGroup => ({ cursor: signal<Cursor>({}), fieldChanges: signal<RawFields>({}) });

/** A value from a linked figure that this figure rejects. */
export interface RejectedValue {
  readonly field: string;
  /** The reason as a clause without the name of the field. */
  readonly reason: string;
  /** The reason as a sentence, for display in the figure. */
  readonly message: string;
  /** The id of the rejected encoding; undefined if the value is not an encoding. */
  readonly encodingId?: string;
}

/**
 * Returns the reason why a figure rejects a value from a linked figure, such as a number out of range. Returns
 * undefined if it accepts the value.
 */
export function checkSharedValue(
  kind: { readonly fields: FieldTable; readonly labels?: { readonly [name: string]: string | undefined } },
  name: string,
  value: unknown,
  encodings: readonly EncodingInfo[],
): RejectedValue | undefined {
  const field = kind.fields[name];
  if (!field || value === undefined) return undefined;
  const rejectionFor = (reason: string): RejectedValue => ({
    field: name,
    reason,
    message: STRINGS.notTaken(getFieldLabel(kind, name), reason),
  });
  try {
    const parsedValue: unknown = field.read(value);
    const { control } = field;
    if (control.kind !== 'encoding') return undefined;
    const { id } = parsedValue as { readonly id: string };
    return matchesFilter(control, encodings.find((info) => info.id === id) ?? { id })
      ? undefined
      : { ...rejectionFor(STRINGS.notOffered(id)), encodingId: id };
  } catch (thrown) {
    if (thrown instanceof FieldError) return rejectionFor(thrown.message);
    throw thrown;
  }
}
