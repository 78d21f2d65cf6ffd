// Specs of figures: fields, attributes, links and objects, parsed and printed.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { kinds } from '../../web/figure/contract/all-kinds.ts';
import { isField } from '../../web/figure/contract/attributes.ts';
import {
  boolean,
  choice,
  count,
  encoding,
  FieldError,
  multiSelect,
  number,
  numbers,
  tensor,
  text,
} from '../../web/figure/contract/fields.ts';
import {
  isSameSpec,
  printLink,
  printSpec,
  printTag,
  readSpec,
  SpecError,
  toCamelCase,
  toKebabCase,
} from '../../web/figure/contract/spec.ts';
import { specs } from './arbitrary-spec.ts';

const sampleKind = {
  id: 'some',
  fields: {
    encoding: encoding('rope base=500'),
    baseWidth: count(64, 1, 1024),
    positionOffset: number(0, -10, 10),
    metric: choice('cosine', 'dot'),
    sorted: boolean(false),
    sentence: text('“a” & <b>'),
    order: numbers([1, 0]),
    rows: tensor(() => {}),
  },
};
const allKinds = [sampleKind, ...Object.values(kinds)].map((kind) => [kind.id, kind] as const);

/** Parses the attributes of a tag. */
function attributesOf(tag: string): Record<string, string> {
  const entities: Record<string, string> = { amp: '&', quot: '"', lt: '<', '#13': '\r' };
  const attributes = [...tag.matchAll(/ ([a-z][\w-]*)="([^"]*)"/g)];
  return Object.fromEntries(
    attributes.map(([, name, value]) => [
      name as string,
      (value as string).replace(/&([\w#]+);/g, (_, entity: string) => entities[entity] as string),
    ]),
  );
}

describe.each(allKinds)('spec of %s', (_, kind) => {
  it('is equal after printing and reading as text, link and tag', () => {
    fc.assert(
      fc.property(specs(kind.fields), (spec) => {
        const read = readSpec(kind, spec);
        expect(isSameSpec(kind, read, spec)).toBe(true);
        expect(readSpec(kind, printSpec(kind, read))).toEqual(read);
        const { kind: id, ...linkFields } = Object.fromEntries(new URLSearchParams(printLink(kind, read)));
        expect([id, readSpec(kind, linkFields)]).toEqual([kind.id, read]);
        const { kind: tagged, ...attributes } = attributesOf(printTag(kind, read));
        const fields = Object.fromEntries(Object.entries(attributes).map(([name, value]) => [toCamelCase(name), value]));
        expect([tagged, readSpec(kind, fields)]).toEqual([kind.id, read]);
      }),
    );
  });

  it('prints no defaults, and has field names that are valid attributes', () => {
    expect(printSpec(kind, readSpec(kind, {}))).toEqual({});
    for (const name of Object.keys(kind.fields)) {
      expect(isField(toKebabCase(name)), name).toBe(true);
      expect(toCamelCase(toKebabCase(name))).toBe(name);
    }
  });

  it('rejects invalid values in one line that begins with the name of the field', () => {
    const arbitraryText = fc.oneof(fc.anything(), fc.string(), fc.constantFrom('', ' ', 'NaN', '1e999', '🙂', '-0', '0x10', '1,2', null));
    fc.assert(
      fc.property(fc.constantFrom(...Object.keys(kind.fields)), arbitraryText, (name, value) => {
        try {
          const read = readSpec(kind, { [name]: value }) as Record<string, unknown>;
          if (typeof read[name] === 'number') expect(Number.isFinite(read[name])).toBe(true);
        } catch (thrown) {
          expect(thrown).toBeInstanceOf(SpecError);
          expect((thrown as SpecError).field).toBe(name);
          expect((thrown as SpecError).message).toMatch(new RegExp(`^${name}: [^\n]+$`, 's'));
        }
      }),
    );
  });
});

describe('field', () => {
  const refusal = (read: () => unknown): string => {
    try {
      read();
    } catch (thrown) {
      if (thrown instanceof FieldError) return thrown.message;
    }
    return 'accepted';
  };

  const letters = multiSelect(
    'a',
    [
      ['a', 'A'],
      ['b', 'B'],
    ],
    2,
  );

  it('reads text and values', () => {
    expect(count(1, 0, 9).read(' 7 ')).toBe(7);
    expect(Object.is(number(1, -1, 1).read('-0'), 0)).toBe(true);
    expect(['', 'true', true, 'false', false].map((value) => boolean(false).read(value))).toEqual([true, true, true, false, false]);
    expect(numbers([]).read('1, 2.5 -3')).toEqual([1, 2.5, -3]);
    expect(numbers([]).read(Float32Array.of(1, 2))).toEqual([1, 2]);
    expect(['a, b', ['a', 'b'], []].map((value) => letters.read(value))).toEqual(['a, b', 'a,b', '']);
    expect(encoding('none').read('rope base=500 layout=half_split scaled=true')).toEqual({
      id: 'rope',
      base: 500,
      layout: 'half_split',
      scaled: true,
    });
    expect(encoding('none').read('alibi slopes=0.5,0.25')).toEqual({
      id: 'alibi',
      slopes: { shape: [2], data: Float32Array.of(0.5, 0.25) },
    });
    expect(tensor(() => {}).read('')).toBeUndefined();
  });

  it('rejects an invalid value with a reason', () => {
    expect(refusal(() => count(1, 0, 9).read('2.5'))).toBe('“2.5” is not a whole number');
    expect(refusal(() => count(1, 0, 9).read(10))).toBe('10 is outside 0 to 9');
    expect(refusal(() => count(1, 0, 9).read(''))).toBe('“” is not a number');
    expect(refusal(() => choice('a', 'b').read('c'))).toBe('“c” is not a or b');
    expect(refusal(() => boolean(true).read('yes'))).toBe('“yes” is not true or false');
    expect(refusal(() => text('').read(4))).toBe('4 is not a string');
    expect(refusal(() => letters.read('a, c'))).toBe('“c” is not a or b');
    for (const value of [{}, { toString: 0 }, [{ toString: 0 }], [4], Object.create(null)])
      expect(refusal(() => letters.read(value))).toBe('an object is not a or b');
    expect(refusal(() => numbers([]).read('1,x'))).toBe('“x” is not a number');
    // Empty entries are rejected.
    for (const list of ['1,,2', ',1', '1,', '1 , , 2'])
      expect(
        refusal(() => numbers([]).read(list)),
        list,
      ).toBe('“” is not a number');
    expect(refusal(() => tensor(() => {}).read({ shape: [-2, -1], data: Float32Array.of(1, 2) }))).toBe(
      'an object is not a tensor { shape, data }',
    );
    expect(refusal(() => encoding('none').read('rope base'))).toMatch(/^“rope base” is not an encoding with its parameters/);
    for (const text of ['rope id=alibi', 'rope base=1 base=2'])
      expect(
        refusal(() => encoding('none').read(text)),
        text,
      ).toMatch(/is not an encoding with its parameters/);
    // The core reports that there is no such parameter.
    expect(Object.keys(encoding('none').read('rope __proto__=1,2'))).toEqual(['id', '__proto__']);
    expect(refusal(() => tensor(() => {}).read({ shape: [2], data: new Float32Array(3) }))).toMatch(/is not a tensor/);
  });
});

describe('spec', () => {
  it('reads names that are not fields as parameters of the encoding, in the spelling of the core', () => {
    expect(readSpec(sampleKind, { encoding: 'rope', base: '10', shortFactor: '1,2' }).encoding).toEqual({
      id: 'rope',
      base: 10,
      short_factor: { shape: [2], data: Float32Array.of(1, 2) },
    });
    expect(() => readSpec({ id: 'plain', fields: { length: count(1, 1, 9) } }, { base: '1' })).toThrow(
      /^base: a plain figure has no such field; expected length$/,
    );
  });

  it('is compared by its values', () => {
    const read = (input: object) => readSpec(sampleKind, { ...input });
    expect(
      isSameSpec(sampleKind, read({ encoding: 'rope base=1', order: '2,1' }), read({ encoding: { id: 'rope', base: 1 }, order: [2, 1] })),
    ).toBe(true);
    expect(isSameSpec(sampleKind, read({ encoding: 'rope base=1' }), read({ encoding: 'rope base=2' }))).toBe(false);
    expect(isSameSpec(sampleKind, read({ order: '2,1' }), read({ order: '2,1,0' }))).toBe(false);
  });
});

it('rejects field names of version 0.1 and gives the present names', () => {
  const messages = { width: 'width: renamed to dim', offset: 'offset: renamed to position-offset' };
  for (const [name, sentence] of Object.entries(messages))
    expect(() => readSpec(kinds.similarity as (typeof kinds)[string], { [name]: '8' })).toThrow(sentence);
  // models-src is an attribute, not a field.
  expect(() => readSpec(kinds.inside as (typeof kinds)[string], { models: '/models/' })).toThrow('models: renamed to models-src');
  expect([isField('models'), isField('models-src')]).toEqual([true, false]);
});
