// Random specs of any kind, generated from its table of fields.
import fc from 'fast-check';
import type { Field, FieldTable, SpecOf } from '../../web/figure/contract/fields.ts';

const word = fc.stringMatching(/^[a-z][a-z_]{0,8}$/).filter((text) => text !== 'true' && text !== 'false');
const finiteNumber = fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => value + 0);
const params = fc.dictionary(
  word.filter((name) => name !== 'id'),
  fc.oneof(finiteNumber, fc.boolean(), word),
  { maxKeys: 4, noNullPrototype: true },
);

/** Generates valid values of a field, or the default of a field that only files set. */
function acceptedBy({ control, initial, read }: Field<unknown>): fc.Arbitrary<unknown> {
  const isAccepted = (value: unknown): boolean => {
    try {
      read(value);
      return true;
    } catch {
      return false;
    }
  };
  switch (control.kind) {
    case 'number': {
      const { min, max, whole } = control;
      return whole ? fc.integer({ min, max }) : fc.double({ min, max, noNaN: true }).map((value) => (value === 0 ? 0 : value));
    }
    case 'choice':
      return fc.constantFrom(...control.choices);
    case 'several':
      return fc.subarray(control.choices.map(([word]) => word)).map((words) => words.slice(0, 5).join(', '));
    case 'switch':
      return fc.boolean();
    case 'text':
      return fc.oneof(fc.constant(initial), fc.string({ unit: 'grapheme' })).filter(isAccepted);
    case 'encoding':
      return fc.oneof(
        fc.constant(initial),
        fc.tuple(word, params).map(([id, rest]) => ({ id, ...rest })),
      );
    case 'none':
      return Array.isArray(initial)
        ? fc.oneof(fc.constant(initial), fc.array(finiteNumber, { maxLength: 8 })).filter(isAccepted)
        : fc.constant(initial);
  }
}

export const specs = <Fields extends FieldTable>(fields: Fields): fc.Arbitrary<SpecOf<Fields>> =>
  fc.record(Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, acceptedBy(field)]))) as fc.Arbitrary<SpecOf<Fields>>;
