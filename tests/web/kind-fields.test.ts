// The Python package rejects field names that are not in this list.
import { expect, it } from 'vitest';
import { kinds } from '../../web/figure/contract/all-kinds.ts';
import { kindFields } from '../../web/package/kind-fields.ts';

it('lists every field of every kind with its type', () => {
  for (const [id, { fields }] of Object.entries(kinds)) expect(Object.keys(kindFields[id] ?? {}), id).toEqual(Object.keys(fields));
  expect(Object.keys(kindFields)).toEqual(Object.keys(kinds));
  expect(kindFields.custom).toMatchObject({ q: 'array', weights: 'array', encoding: 'encoding', tokens: 'value', head: 'value' });
  expect(kindFields.compare).toMatchObject({ encoding: 'encoding', other: 'encoding', text: 'value' });
});
