// The hand-written types and names against the real exports of the generated glue.
import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { flatRequest } from '../../web/engine/flat-request.ts';
import { instantiate } from '../../web/engine/load.ts';

const sources = readdirSync('cpp/wasm').map((name) => readFileSync(`cpp/wasm/${name}`, 'utf8'));
const all = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map((match) => match[1] as string).sort();

it.each(['simd', 'scalar'])('web/engine asks phasor-%s for exactly what there is', async (variant) => {
  const raw = await instantiate(new WebAssembly.Module(readFileSync(`build/wasm/phasor-${variant}.wasm`)));
  const bound = all(sources.join(''), /emscripten::function\("(\w+)"/g);
  const [declared = ''] = readFileSync('web/engine/glue.d.ts', 'utf8').match(/interface RawModule[^}]*/) ?? [];
  expect(all(declared, /^ {4}(\w+)\(/gm)).toEqual(bound);
  for (const name of bound) expect(raw[name as keyof typeof raw]).toBeTypeOf('function');

  const calls = all(sources.join(''), /^ +\{"(\w+)", \w+\},$/gm);
  expect(all(readFileSync('web/engine/direct.ts', 'utf8'), /\bcall\('(\w+)'/g)).toEqual(calls);
  expect(raw.call('nothing', '', [], [])).toEqual({
    error: { code: 'unknown_name', message: '"nothing" is not a function of the engine' },
  });
});

it('lets no view of the heap escape: typed_memory_view stands in two lines of the tree, which read or write it at once', () => {
  const lines = sources.flatMap((source) => source.split('\n')).filter((line) => line.includes('typed_memory_view'));
  expect(lines).toHaveLength(2);
  for (const line of lines) expect(line).toMatch(/val\(emscripten::typed_memory_view\(.*\)\)\.call<(val>\("slice"\)|void>\("set", data\))/);
});

it('writes a request as a flat list of fields', () => {
  const array = new Float32Array(6);
  const request = {
    x: { shape: [2, 3], data: array },
    encoding: { id: 'rope', base: 5, on: true },
    want: ['map', 'bias'],
    keyMask: [true, false],
    gone: undefined,
    nothing: null,
  };
  const { fields, numbers, arrays } = flatRequest(request);
  expect(fields.split('\0')).toEqual([
    ...['ox', 'lx.shape', 'ax.data'],
    ...['oencoding', 'wencoding.id', 'rope', 'nencoding.base', 'yencoding.on'],
    ...['xwant', 'map,bias', 'lkeyMask', ''],
  ]);
  expect(numbers).toEqual([2, 2, 3, 6, 5, 2, 1, 0]);
  expect(arrays).toEqual([array]);
});

it('comes to an end with whatever it is given', () => {
  const own: Record<string, unknown> = { word: 'a\0b', list: [1, 'two', {}], big: new BigInt64Array(2), no: () => 1, huge: 10n };
  own.own = own;
  expect(flatRequest(own).fields).toContain('wword\0a\ufffdb\0xlist\x001,two,an object\0');
  const wide = Object.fromEntries(Array.from({ length: 10 }, (_, i) => [`key${i}`, own]));
  own.wide = wide;
  Object.assign(own, wide);
  expect(() => flatRequest(own)).toThrow('it has more than 100000 fields');
});
