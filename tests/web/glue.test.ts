// Compares the hand-written types and names with the exports of the generated glue.
import { readdirSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import createModule, { type RawError } from '#glue';
import createModelModule from '#glue-model';
import createNnModule from '#glue-nn';
import * as analysis from '../../web/engine/analysis.ts';
import { CACHE_METHODS, methods } from '../../web/engine/call/methods.ts';
import { instantiate } from '../../web/engine/load/instantiate.ts';
import { checkpointCalls } from '../../web/engine/model/open.ts';
import { trainCalls } from '../../web/engine/train/trainer.ts';

const sources = readdirSync('cpp/wasm', { recursive: true, withFileTypes: true })
  .filter((file) => file.isFile())
  .map(({ parentPath, name }) => readFileSync(`${parentPath}/${name}`, 'utf8'));
const findAll = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map((match) => match[1] as string).sort();

const glue = { phasor: createModule, 'phasor-nn': createNnModule, 'phasor-model': createModelModule };
const open = (program: keyof typeof glue) => {
  const module = new WebAssembly.Module(readFileSync(`build/wasm/${program}.wasm`));
  return instantiate({ module, program, isFused: false }, glue[program]);
};

it.each(['phasor', 'phasor-nn', 'phasor-model'] as const)('web/engine declares exactly the exports of %s.wasm', async (program) => {
  const raw = await open(program);
  const boundNames = [...findAll(sources.join(''), /^Module\.(\w+) = /gm), 'useRegisterBlocks'].sort();
  const [declared = ''] = readFileSync('web/engine/glue.d.ts', 'utf8').match(/interface RawModule[^}]*/) ?? [];
  expect(findAll(declared, /^ {4}(\w+)\(/gm)).toEqual(boundNames);
  for (const name of boundNames) expect(raw[name as keyof typeof raw]).toBeTypeOf('function');

  const calls = findAll(sources.join(''), /\{"(\w+)", \w+\},/g);
  expect(
    [...methods, ...Object.keys(CACHE_METHODS), ...Object.keys(analysis), ...trainCalls, ...checkpointCalls, 'release'].sort(),
  ).toEqual(calls);
  expect(raw.describe()).toMatchObject({ program, version: JSON.parse(readFileSync('package.json', 'utf8')).version });
  expect(raw.call('nothing', '', [], [])).toEqual({
    error: { code: 'unknown_name', message: '"nothing" is not an engine function' },
  });
});

it('uses each view of the heap only in the line that creates it', () => {
  const lines = sources.flatMap((source) => source.split('\n')).filter((line) => line.includes('HEAP'));
  expect(lines).toHaveLength(13);
  const uses =
    /HEAP(F32|F64|U8)\.subarray\(.*\)\.set\((boundary|numbers|bytes)|numbers\.copyTo\(HEAPF|Array\.from\(HEAP32\.subarray\(.*\)\)?\);|decode\(HEAPU8\.subarray|data: HEAPF32\.slice\(|own\.set\(HEAPF32\.subarray\(.*\)\);/;
  for (const line of lines) expect(line).toMatch(uses);
});

it('writes no array beyond the memory reserved for it', async () => {
  const raw = await open('phasor');
  for (const length of [0, 1, 3]) expect(() => raw.call('randomNormal', 'ashape', [5, 2], [new Float32Array(length)])).toThrow(RangeError);
});

it('rejects any malformed request with one message', async () => {
  const raw = await open('phasor');
  const array = fc.constant(new Float32Array(3));
  const length = fc.oneof(
    fc.nat(12),
    fc.constantFrom(-1, 0.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 31, 2 ** 32, 2 ** 53),
    fc.double(),
  );
  const letters = fc.string({ unit: fc.constantFrom(...'nyfwlbsaoxz', 'seed', 'shape', 'config', '.', 'é') });
  const rejected = {
    error: {
      code: 'invalid_argument',
      message: 'randomNormal: undefined is not a valid request',
      argument: 'randomNormal',
      value: 'undefined',
    },
  };
  let wellFormedCount = 0;
  fc.assert(
    fc.property(letters, fc.array(length), fc.array(array, { maxLength: 2 }), (fields, numbers, arrays) => {
      const { error } = raw.call('randomNormal', fields, numbers, arrays) as RawError;
      expect(error.message).toBeTypeOf('string');
      if (error.message !== rejected.error.message) wellFormedCount += 1;
    }),
    { numRuns: 3000 },
  );
  expect(wellFormedCount).toBeGreaterThan(0);
  for (const [fields, numbers, arrays] of [
    ['nseed', [4], []], // without its number
    ['nseed', [5, 1], []], // a name beyond the end
    ['wseed', [4, 1], []], // a text beyond the end
    ['lshape', [5, 3, 1, 1], []], // a list beyond the end
    ['sshape', [5, 1], []], // strings beyond the end
    ['ashape', [5, 1], []], // no array
    ['nseed', [4, 1, 1], []], // one number too many
    ['', [], [new Float32Array(1)]], // one array too many
    ['?seed', [4], []],
    ['ashape?', [5, 0], []], // nothing remains of the previous request
  ] as const) {
    expect(raw.call('randomNormal', fields, numbers, arrays), fields).toEqual(rejected);
  }
  expect(raw.call('randomNormal', 'nseedlshape', [4, 1, 5, 1, 1], [])).toHaveProperty('data');
});
