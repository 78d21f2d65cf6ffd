// .npy files: written by NumPy, truncated, changed, and the matrix that is selected from one.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { FieldError } from '../../web/figure/contract/fields.ts';
import { encodeNpy } from '../../web/figure/export/npy.ts';
import { readDroppedMatrix, readDroppedTable } from '../../web/figure/files/dropped-matrix.ts';
import { parseFile } from '../../web/figure/files/read-file.ts';
import { findPython, runPython } from './python/run.ts';

const folder = mkdtempSync(join(tmpdir(), 'phasor-files-'));

afterAll(() => rmSync(folder, { recursive: true }));

/** Writes the array 0 .. 5 of shape 2 x 3 in each type, minus 1 for signed types, and files that are rejected. */
const script = `
import numpy as np
for code in ['f2', 'f4', 'f8', '>f2', '>f4', '>f8', 'i1', 'i2', 'i4', 'i8', '>i2', '>i4', '>i8', 'u1', 'u2', 'u4', 'u8', '>u4', '?']:
    numbers = (np.arange(6).reshape(2, 3) - (0 if 'u' in code or code == '?' else 1)).astype(code)
    np.save(code.replace('>', 'big-').replace('?', 'bool') + '.npy', numbers)
    np.save(code.replace('>', 'big-').replace('?', 'bool') + '-fortran.npy', np.asfortranarray(numbers))
for version in [(1, 0), (2, 0), (3, 0)]:
    with open(f'version-{version[0]}.npy', 'wb') as file:
        np.lib.format.write_array(file, np.arange(6, dtype=np.float32).reshape(2, 3), version=version)
np.save('cube.npy', np.asfortranarray(np.arange(24, dtype=np.float32).reshape(2, 3, 4)))
np.save('line.npy', np.arange(3, dtype=np.float32))
np.save('number.npy', np.float32(3))
np.save('none.npy', np.zeros((0, 3)))
np.save('complex.npy', np.zeros(2, dtype=complex))
np.save('words.npy', np.array(['a', 'bc']))
np.save('objects.npy', np.array([{}, None], dtype=object), allow_pickle=True)
np.save('records.npy', np.zeros(2, dtype=[('x', 'f4'), ('y', 'i2')]))
np.save('dates.npy', np.zeros(2, dtype='M8[D]'))
np.save('nan.npy', np.array([[1, np.nan]]))
`;

const { status, stderr } = spawnSync(findPython(), ['-c', script], { cwd: folder, encoding: 'utf8' });

if (status !== 0) throw new Error(stderr);

const bytesOf = (name: string): Uint8Array => new Uint8Array(readFileSync(join(folder, name)));

const parse = (name: string) => parseFile(name, bytesOf(name)).tensors?.data;

describe('NPY reader', () => {
  const types = [
    'f2',
    'f4',
    'f8',
    'i1',
    'i2',
    'i4',
    'i8',
    'u1',
    'u2',
    'u4',
    'u8',
    'bool',
    'big-f2',
    'big-f4',
    'big-f8',
    'big-i2',
    'big-i4',
    'big-i8',
    'big-u4',
  ];
  it.each(types.flatMap((type) => [type, `${type}-fortran`]))('reads a file of NumPy: %s', (name) => {
    const first = /^(big-)?u|^bool/.test(name) ? 0 : -1;
    const values = Array.from({ length: 6 }, (_, index) => (name.startsWith('bool') ? Math.min(index, 1) : index + first));
    expect(parse(`${name}.npy`)).toEqual({ shape: [2, 3], data: Float32Array.from(values) });
  });

  it.each([1, 2, 3])('reads version %d', (version) => {
    expect(parse(`version-${version}.npy`)).toEqual({ shape: [2, 3], data: Float32Array.of(0, 1, 2, 3, 4, 5) });
  });

  it('reads arrays with any number of axes', () => {
    expect(parse('cube.npy')).toEqual({ shape: [2, 3, 4], data: Float32Array.from({ length: 24 }, (_, index) => index) });
    expect(parse('line.npy')).toEqual({ shape: [3], data: Float32Array.of(0, 1, 2) });
    expect(parse('number.npy')).toEqual({ shape: [], data: Float32Array.of(3) });
  });

  it('reads an exported array, as NumPy does', () => {
    const tensor = { shape: [2, 2], data: Float32Array.of(0.1, -1e30, 0, Number.POSITIVE_INFINITY) };
    expect(parseFile('a.npy', encodeNpy(tensor)).tensors?.data).toEqual(tensor);
    const [result] = runPython([{ program: "import numpy as np\nx = np.load('a.npy')\n", files: { 'a.npy': tensor }, want: ['x'] }]);
    expect(result?.arrays.x).toEqual({ shape: [2, 2], data: Float64Array.from(tensor.data) });
  });

  it.each([
    ['none.npy', 'none.npy contains no numbers'],
    ['complex.npy', 'complex.npy contains values of type <c16, not real numbers'],
    ['words.npy', 'words.npy contains values of type <U2, not real numbers'],
    ['objects.npy', 'objects.npy contains values of type |O, not real numbers'],
    ['records.npy', 'records.npy contains a structured array, not an array of numbers'],
    ['dates.npy', 'dates.npy contains values of type <M8[D], not real numbers'],
  ])('rejects %s', (name, sentence) => expect(() => parse(name)).toThrow(sentence));

  it('rejects a file that is truncated at any byte', () => {
    const bytes = bytesOf('f4.npy');
    for (let length = 0; length < bytes.length; length++) {
      expect(() => parseFile('f4.npy', bytes.subarray(0, length)), String(length)).toThrow(
        /^f4\.npy (is empty|is not a NumPy file|has an invalid NumPy header|is truncated)/,
      );
    }
    expect(() => parseFile('f4.npy', bytes.subarray(0, bytes.length - 1))).toThrow('f4.npy is truncated: 23 of 24 bytes');
    expect(() => parseFile('f4.npy', Uint8Array.of(...bytes, 0))).toThrow('f4.npy has 25 bytes after its header, but its shape needs 24');
  });

  it('rejects a header with a huge shape before allocating memory', () => {
    const text = "{'descr': '<f4', 'fortran_order': False, 'shape': (999999999, 999999999), }\n";
    const file = Uint8Array.of(0x93, ...new TextEncoder().encode('NUMPY'), 1, 0, text.length, 0, ...new TextEncoder().encode(text));
    expect(() => parseFile('huge.npy', file)).toThrow(/^huge\.npy is truncated/);
  });

  /** A file of six float32 values with this shape, version and padding in the header. */
  const createNpy = (shape: string, version = [1, 0], padding = '') => {
    const text = `{'descr': '<f4', 'fortran_order': False, 'shape': ${shape}, }${padding}\n`;
    const length = new Uint8Array(version[0] === 1 ? Uint16Array.of(text.length).buffer : Uint32Array.of(text.length).buffer);
    const head = [0x93, ...new TextEncoder().encode('NUMPY'), ...version, ...length, ...new TextEncoder().encode(text)];
    return Uint8Array.of(...head, ...new Uint8Array(Float32Array.of(0, 1, 2, 3, 4, 5).buffer));
  };

  it.each(['(2, 3)', '(2,3,)', '(6,)', '( 6 , )', '(2L, 3L)', '(1, 6, 1)'])('reads the shape %s', (shape) => {
    const sides = (shape.match(/\d+/g) ?? []).map(Number);
    expect(parseFile('a.npy', createNpy(shape)).tensors?.data).toEqual({ shape: sides, data: Float32Array.of(0, 1, 2, 3, 4, 5) });
  });

  /** A file of six float32 values with this header. */
  const script = (header: string) => {
    const text = new TextEncoder().encode(`${header}\n`);
    const head = [0x93, ...new TextEncoder().encode('NUMPY'), 1, 0, text.length, 0, ...text];
    return Uint8Array.of(...head, ...new Uint8Array(Float32Array.of(0, 1, 2, 3, 4, 5).buffer));
  };
  it.each([
    "{'shape': (2, 3), 'fortran_order': False, 'descr': '<f4'}",
    "{'descr' : '<f4' , 'fortran_order' : False , 'shape' : (2, 3) , }",
    '{"descr": "<f4", "shape": (2, 3), "fortran_order": False}',
  ])('reads headers of other programs: %s', (header) => {
    expect(parseFile('a.npy', script(header)).tensors?.data).toEqual({ shape: [2, 3], data: Float32Array.of(0, 1, 2, 3, 4, 5) });
  });
  it.each([
    "{'descr': '<f4', 'fortran_order': False}",
    "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), 'shape': (3, 2)}",
    "{'descr': '<f4', 'fortran_order': (2, 3), 'shape': False}",
    "{'descr': '<f4' 'fortran_order': False, 'shape': (2, 3)}",
    "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3)} x",
    "'descr': '<f4', 'fortran_order': False, 'shape': (2, 3)",
  ])('rejects a header that is not a dictionary of the three keys: %s', (header) => {
    expect(() => parseFile('a.npy', script(header))).toThrow('a.npy has an invalid NumPy header');
  });

  it.each(['(2 3)', '(6)', '(2,,3)', '(,)', '(,6)', '(2, 3 1)', '(06,)', '(6LL,)', '(6, L)', '(-6,)', '(6.0,)'])(
    'rejects the shape %s, which is not a tuple of whole numbers',
    (shape) => {
      const message = `a.npy has the shape ${shape}, which is not a tuple of at most 64 whole numbers`;
      expect(() => parseFile('a.npy', createNpy(shape))).toThrow(new Error(message));
    },
  );

  it('rejects more than 64 axes, an unknown version, and a header that is too long', () => {
    const axes = (count: number) => `(6${', 1'.repeat(count - 1)})`;
    expect(parseFile('a.npy', createNpy(axes(64))).tensors?.data?.shape.length).toBe(64);
    expect(() => parseFile('a.npy', createNpy(axes(65)))).toThrow(
      /^a\.npy has the shape \(6, 1, .*…\), which is not a tuple of at most 64 whole/,
    );
    expect(() => parseFile('a.npy', createNpy('(6,)', [1, 5]))).toThrow('a.npy is a NumPy file of unsupported version 1.5');
    expect(() => parseFile('a.npy', createNpy('(6,)', [2, 0], ' '.repeat(10_000)))).toThrow('a.npy has an invalid NumPy header');
  });

  it('reads or rejects a file with a changed byte', () => {
    const bytes = bytesOf('f4.npy');
    fc.assert(
      fc.property(fc.nat(bytes.length - 1), fc.nat(255), (index, byte) => {
        const corrupted = bytes.slice();
        corrupted[index] = byte;
        try {
          const { shape, data } = parseFile('f4.npy', corrupted).tensors?.data ?? { shape: [], data: [] };
          expect(data.length).toBe(shape.reduce((product, side) => product * side, 1));
        } catch (thrown) {
          expect((thrown as Error).message).toMatch(/^f4\.npy (is|has|contains) [^\n]+$/);
        }
      }),
      // A line feed within the dtype, and within the shape.
      {
        numRuns: 3000,
        examples: [
          [21, 10],
          [62, 10],
        ],
      },
    );
  });
});

describe('matrix of a file', () => {
  const data = (name: string) => ({ name, tensors: { data: parse(name) as never } });
  it('is read as a position table with one row per position', () => {
    expect(readDroppedTable(data('f8.npy'))).toEqual({
      encoding: { id: 'learned', table: { shape: [2, 3], data: Float32Array.of(-1, 0, 1, 2, 3, 4) } },
      length: 2,
      dim: 3,
      positionOffset: 0,
    });
  });
  it('is rejected if it is missing, ambiguous or not finite', () => {
    const refuse = (file: Parameters<typeof readDroppedMatrix>[0], sentence: string) => {
      expect(() => readDroppedMatrix(file)).toThrow(FieldError);
      expect(() => readDroppedMatrix(file)).toThrow(sentence);
    };
    refuse(data('cube.npy'), 'data is 2 × 3 × 4, not a matrix');
    refuse(data('number.npy'), 'data is a single number, not a matrix');
    refuse(data('nan.npy'), 'data has entries that are not finite numbers');
    refuse({ name: 'a.json', json: {} }, 'the file contains no array of numbers');
    const oneTensor = { shape: [1, 1], data: Float32Array.of(1) };
    refuse(
      { name: 'model.safetensors', tensors: { wte: oneTensor, wpe: oneTensor } },
      'the file has several matrices, wte and wpe; save one of them as .npy',
    );
  });
});
