// Serialized requests preserve any names and strings, and serialization terminates.
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import createModule from '#glue';
import { instantiate } from '../../web/engine/load/instantiate.ts';
import { cloneRequest, type FlatRequest, serializeRequest } from '../../web/engine/request/flat-request.ts';
import { OUT_HANDLER } from '../../web/engine/request/out.ts';

/** Parses a serialized request by the rules of cpp/wasm/fields.h: [kind, path, value]. */
function fieldsOf({ fields, numbers, arrays }: FlatRequest): [string, string, unknown][] {
  let text = new TextEncoder().encode(fields);
  let number = 0;
  let array = 0;
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  const next = () => numbers[number++] as number;
  const readText = (length: number) => {
    expect(length).toBeLessThanOrEqual(text.length);
    const taken = decoder.decode(text.subarray(0, length));
    text = text.subarray(length);
    return taken;
  };
  const actual: [string, string, unknown][] = [];
  while (text.length > 0) {
    const kind = readText(1);
    const path = readText(next());
    if (kind === 'n') actual.push([kind, path, next()]);
    else if (kind === 'w' || kind === 's' || kind === 'x') actual.push([kind, path, readText(next())]);
    else if (kind === 'l' || kind === 'b') actual.push([kind, path, Array.from({ length: next() }, next)]);
    else if (kind === 'a') actual.push([kind, path, [next(), arrays[array++]]]);
    else actual.push([kind, path, undefined]);
  }
  expect([number, array]).toEqual([numbers.length, arrays.length]);
  return actual;
}

const wellFormed = (text: string) => new TextDecoder('utf-8', { ignoreBOM: true }).decode(new TextEncoder().encode(text));

it('serializes a request as a flat list of fields', () => {
  const array = new Float32Array(6);
  const request = {
    x: { shape: [2, 3], data: array },
    encoding: { id: 'rope', base: 5, on: true },
    outputs: ['pooledWeights', 'bias'],
    joined: ['map,bias'],
    keyMask: [true, 0],
    gone: undefined,
    nothing: null,
    empty: [],
    'pooling.size': 2,
    past: new Date(0),
    mixed: [1, 'two', {}],
  };
  expect(fieldsOf(serializeRequest('layer', request))).toEqual([
    ['o', 'x', undefined],
    ['l', 'x.shape', [2, 3]],
    ['a', 'x.data', [6, array]],
    ['o', 'encoding', undefined],
    ['w', 'encoding.id', 'rope'],
    ['n', 'encoding.base', 5],
    ['y', 'encoding.on', undefined],
    ['s', 'outputs', 'pooledWeights, bias'],
    ['x', 'joined', 'map,bias'],
    ['b', 'keyMask', [1, 0]],
    ['l', 'empty', []],
    ['n', 'pooling\\.size', 2],
    ['x', 'past', '[object Date]'],
    ['x', 'mixed', '1, two, an object'],
  ]);
});

/** Strings that often contain lone surrogates, zeros and the separators of the format. */
const unusualText = fc.string({
  unit: fc.constantFrom('\ud83d', '\udca9', '\0', '.', '\\', 'a', 'é', '\uffff', '\ufeff', '💩'),
  maxLength: 6,
});

it('keeps every field for any name and value', () => {
  fc.assert(
    fc.property(
      fc.dictionary(unusualText, fc.oneof(unusualText, fc.double(), fc.array(unusualText), fc.array(fc.double()))),
      fc.double(),
      (object, last) => {
        const names = Object.keys(object);
        const actual = fieldsOf(serializeRequest('any', { ...object, last }));
        expect(actual.length).toBe(names.length + 1);
        for (const [i, name] of names.entries()) {
          const value = object[name];
          const [kind, path, got] = actual[i] as [string, string, unknown];
          expect(path).toBe(wellFormed(name.replaceAll('.', '\\.')));
          if (typeof value === 'string') expect([kind, got]).toEqual(['w', wellFormed(value)]);
          else if (typeof value === 'number') expect([kind, got]).toEqual(['n', value]);
          else expect(got).toEqual(typeof value?.[0] === 'string' ? value.map((part) => wellFormed(`${part}`)).join(', ') : value);
        }
        expect(actual.at(-1)).toEqual(['n', 'last', last]);
      },
    ),
    { numRuns: 500 },
  );
});

it('is read by WebAssembly without loss', async () => {
  const raw = await instantiate(
    { module: new WebAssembly.Module(readFileSync('build/wasm/phasor.wasm')), program: 'phasor', isFused: false },
    createModule,
  );
  fc.assert(
    fc.property(
      fc.dictionary(unusualText, fc.oneof(unusualText, fc.array(unusualText), fc.dictionary(unusualText, unusualText))),
      fc.integer({ min: 2, max: 1e6 }),
      (config, base) => {
        const { fields, numbers, arrays } = serializeRequest('ropeFromConfig', {
          config: { ...config, rope_theta: base, hidden_size: 8, num_attention_heads: 1 },
        });
        expect(raw.call('ropeFromConfig', fields, numbers, arrays)).toMatchObject({ id: 'rope', base });
      },
    ),
    { numRuns: 500 },
  );
});

it('terminates for any input', () => {
  const object: Record<string, unknown> = { word: 'a\0b', list: [1, 'two', {}], big: new BigInt64Array(2), no: () => 1, huge: 10n };
  object.own = object;
  const actual = fieldsOf(serializeRequest('any', object));
  expect(actual.slice(0, 3)).toEqual([
    ['w', 'word', 'a\0b'],
    ['x', 'list', '1, two, an object'],
    ['x', 'big', '[object BigInt64Array]'],
  ]);
  const wide = Object.fromEntries(Array.from({ length: 10 }, (_, i) => [`key${i}`, object]));
  object.wide = wide;
  Object.assign(object, wide);
  expect(() => serializeRequest('any', object)).toThrow('the request has more than 100000 fields');
  expect(() => serializeRequest('any', { list: new Array(4e9) })).toThrow(
    'list: cannot be read (a list of 4000000000 elements is too long',
  );
  expect(fieldsOf(serializeRequest('any', { list: new Array(1e8) }))[0]?.[0]).toBe('x');
});

it('copies only the viewed part of each array for another thread, each array once', () => {
  const buffer = new ArrayBuffer(1024);
  const part = new Float32Array(buffer, 16, 4).fill(3);
  const { arrays } = cloneRequest('any', serializeRequest('any', { q: part, k: part, bytes: new Uint8Array(buffer, 0, 8) }));
  expect(arrays.map((array) => (array as Float32Array).buffer.byteLength)).toEqual([16, 16, 8]);
  expect(arrays[0]).toBe(arrays[1]);
  expect([...(arrays[0] as Float32Array)]).toEqual([3, 3, 3, 3]);
});

it('serializes a strided tensor in row-major order, and copies only its elements for another thread', () => {
  const data = Float64Array.from({ length: 100 }, (_, i) => i / 3);
  const x = { shape: [2, 3], strides: [1, 10], offset: 5, data };
  const flat = serializeRequest('any', {
    x,
    list: { ...x, data: Array.from(data) },
    flags: { shape: [2], strides: [2], data: [true, false, 0] },
  });
  const expected = [5, 15, 25, 6, 16, 26].map((i) => i / 3);
  expect(fieldsOf(flat)).toEqual([
    ['o', 'x', undefined],
    ['l', 'x.shape', [2, 3]],
    ['a', 'x.data', [6, flat.arrays[0]]],
    ['o', 'list', undefined],
    ['l', 'list.shape', [2, 3]],
    ['l', 'list.data', expected],
    ['o', 'flags', undefined],
    ['l', 'flags.shape', [2]],
    ['b', 'flags.data', [1, 0]],
  ]);
  const { arrays } = cloneRequest('any', flat);
  expect(arrays).toEqual([Float64Array.from(expected)]);
  expect((arrays[0] as Float64Array).buffer.byteLength).toBe(48);
});

it('reads output arrays only for engines that write into them; for others, out is an unknown field', async () => {
  const request = { encoding: 'sinusoidal', length: 2, dim: 4, out: new Float32Array(8) };
  expect(serializeRequest('positionTable', request, { out: OUT_HANDLER }).out).toMatchObject([{ path: 'out', length: 8 }]);
  const { fields, numbers, arrays, out } = serializeRequest('positionTable', request);
  expect(out).toBeUndefined();
  const raw = await instantiate(
    { module: new WebAssembly.Module(readFileSync('build/wasm/phasor.wasm')), program: 'phasor', isFused: false },
    createModule,
  );
  expect(raw.call('positionTable', fields, numbers, arrays)).toMatchObject({ error: { message: expect.stringMatching(/\bout\b/) } });
});
