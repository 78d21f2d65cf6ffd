// Lists the fields of every kind of figure. The Python package rejects field names that are not in this list.
import { kinds } from '../figure/contract/all-kinds.ts';
import type { Field } from '../figure/contract/fields.ts';

type FieldType = 'array' | 'encoding' | 'value';

function findFieldType({ initial, control }: Field<unknown>): FieldType {
  if (initial === undefined) return 'array';
  return control.kind === 'encoding' ? 'encoding' : 'value';
}

export const kindFields: { readonly [kind: string]: { readonly [field: string]: FieldType } } = Object.fromEntries(
  Object.values(kinds).map(({ id, fields }) => [
    id,
    Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, findFieldType(field as Field<unknown>)])),
  ]),
);
