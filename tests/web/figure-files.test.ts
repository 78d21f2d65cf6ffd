// Downloads: CSV that reads back as the same float32, .npy files, PNG files.
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inflateSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { DataTable } from '../../web/figure/contract/kind.ts';
import { formatCsv, shortestDecimal } from '../../web/figure/export/csv.ts';
import { encodeNpy } from '../../web/figure/export/npy.ts';
import { encodePng } from '../../web/package/png.ts';

const table = (shape: readonly number[], data: Float32Array, overrides: Partial<DataTable> = {}): DataTable => ({
  name: 'numbers',
  title: 'Data',
  tensor: { shape: [...shape], data },
  rowTitle: 'row',
  columnTitle: 'column',
  ...overrides,
});

/** Parses CSV as defined by RFC 4180. */
function parse(text: string): string[][] {
  const lines: string[][] = [[]];
  for (const [, quoted, plain, end] of text.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n|$)/g)) {
    lines.at(-1)?.push(quoted?.replaceAll('""', '"') ?? plain ?? '');
    if (end === '\r\n') lines.push([]);
  }
  return lines.filter((line) => line.join('') !== '');
}

describe('CSV', () => {
  it('writes the shortest decimals that read back as the same float32', () => {
    expect([0.1, 1 / 3, 16777216, 1e-45, -0.5, 3.4028234663852886e38].map((value) => shortestDecimal(Math.fround(value)))).toEqual([
      '0.1',
      '0.33333334',
      '16777216',
      '1e-45',
      '-0.5',
      '3.4028235e+38',
    ]);
    fc.assert(
      fc.property(fc.float({ noNaN: true, noDefaultInfinity: true }), (value) => {
        expect(Math.fround(Number(shortestDecimal(value))) + 0).toBe(value + 0);
      }),
    );
    expect([Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY].map(shortestDecimal)).toEqual(['nan', 'inf', '-inf']);
  });

  it('reads back as the same headings and values, for any headings', () => {
    const heading = fc.string({ unit: 'grapheme-ascii' }).map((text) => `x${text}`);
    const grid = fc.tuple(fc.integer({ min: 1, max: 4 }), fc.integer({ min: 1, max: 4 })).chain(([rows, columns]) =>
      fc.record({
        rows: fc.array(fc.oneof(heading, fc.constant('a "b", c\r\nd')), { minLength: rows, maxLength: rows }),
        columns: fc.array(heading, { minLength: columns, maxLength: columns }),
        data: fc.array(fc.float({ noNaN: true, noDefaultInfinity: true }), { minLength: rows * columns, maxLength: rows * columns }),
      }),
    );
    fc.assert(
      fc.property(grid, ({ rows, columns, data }) => {
        const [header, ...lines] = parse(formatCsv(table([rows.length, columns.length], Float32Array.from(data), { rows, columns })));
        expect(header).toEqual(['row', ...columns]);
        expect(lines.map(([name]) => name)).toEqual(rows);
        expect(lines.flatMap(([, ...cells]) => cells.map((cell) => Math.fround(Number(cell)) + 0))).toEqual(data.map((value) => value + 0));
      }),
    );
  });

  it('names columns by their index or title', () => {
    expect(formatCsv(table([2], Float32Array.of(1, 2)))).toBe('row,column\r\n0,1\r\n1,2\r\n');
    expect(formatCsv(table([1, 2], Float32Array.of(3, 4)))).toBe('row,0,1\r\n0,3,4\r\n');
  });

  it('is read by Python as a table of numbers', () => {
    const csv = formatCsv(table([2, 2], Float32Array.of(0.1, -2, 3e-7, 4), { rows: ['to, be', 'or "not"'], columns: ['α', 'b'] }));
    const script =
      'import csv, io, sys\nhead, *rows = csv.reader(io.StringIO(sys.stdin.read(), newline=""))\nprint([head, [[float(x) for x in row[1:]] for row in rows]])';
    const { stdout } = spawnSync('/usr/bin/python3', ['-c', script], { input: csv, encoding: 'utf8' });
    expect(stdout.trim()).toBe("[['row', 'α', 'b'], [[0.1, -2.0], [3e-07, 4.0]]]");
  });
});

describe('.npy', () => {
  const shapes = [[3], [2, 3], [2, 1, 4], [0, 5], [1]];

  it('has a header of a multiple of 64 bytes, followed by the values', () => {
    for (const shape of shapes) {
      const data = Float32Array.from({ length: shape.reduce((size, side) => size * side, 1) }, (_, index) => index / 3 - 1);
      const bytes = encodeNpy({ shape, data });
      const length = 10 + ((bytes[8] as number) | ((bytes[9] as number) << 8));
      expect(length % 64).toBe(0);
      const header = new TextDecoder().decode(bytes.subarray(10, length));
      expect(header).toMatch(/^\{'descr': '<f4', 'fortran_order': False, 'shape': \([\d, ]+\), \} *\n$/);
      expect(new Float32Array(bytes.slice(length).buffer)).toEqual(data);
    }
  });

  // The setup of the project installs NumPy for the interpreter of Debian.
  const hasNumpy = spawnSync('/usr/bin/python3', ['-c', 'import numpy']).status === 0;
  it.runIf(hasNumpy)('is read by NumPy', () => {
    const folder = mkdtempSync(join(tmpdir(), 'phasor-npy-'));
    const arrays = shapes.map((shape) => ({
      shape,
      data: Float32Array.from({ length: shape.reduce((size, side) => size * side, 1) }, (_, index) => Math.sin(index) * 1e-20),
    }));
    arrays.forEach((array, index) => {
      writeFileSync(join(folder, `${index}.npy`), encodeNpy(array));
    });
    const program = `import json, sys, numpy as np
files = [np.load(f'{sys.argv[1]}/{i}.npy') for i in range(${arrays.length})]
print(json.dumps([[str(a.dtype), list(a.shape), a.ravel().astype(float).tolist()] for a in files]))`;
    const read = JSON.parse(execFileSync('/usr/bin/python3', ['-c', program, folder], { encoding: 'utf8' }));
    expect(read).toEqual(arrays.map(({ shape, data }) => ['float32', shape, Array.from(data)]));
    rmSync(folder, { recursive: true });
  });
});

describe('encodePng', () => {
  it('writes the pixels, with a palette if 256 colours are enough', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 20 }), fc.integer({ min: 1, max: 20 }), fc.integer(), fc.nat(7), (columns, rows, seed, few) => {
        const rgba = Uint8ClampedArray.from(
          { length: 4 * columns * rows },
          (_, index) => (Math.imul(index + 1, seed | 1) >>> 8) & (255 >> few),
        );
        const file = encodePng({ columns, rows, rgba });
        expect(file.subarray(1, 4).toString()).toBe('PNG');
        expect([file.readUInt32BE(16), file.readUInt32BE(20)]).toEqual([columns, rows]);
        const parts: { [type: string]: Buffer } = {};
        for (let offset = 8; offset < file.length; offset += 12 + file.readUInt32BE(offset))
          parts[file.subarray(offset + 4, offset + 8).toString()] = file.subarray(offset + 8, offset + 8 + file.readUInt32BE(offset));
        const { IHDR, IDAT, PLTE, tRNS } = parts as { IHDR: Buffer; IDAT: Buffer; PLTE?: Buffer; tRNS?: Buffer };
        const colors = new Set(Array.from({ length: columns * rows }, (_, pixel) => rgba.subarray(4 * pixel, 4 * pixel + 4).join()));
        expect(IHDR[9]).toBe(colors.size > 256 ? 6 : 3);
        expect(PLTE?.length).toBe(colors.size > 256 ? undefined : 3 * colors.size);
        const each = PLTE ? columns : 4 * columns;
        const bytes = Array.from({ length: rows }, (_, row) => [
          ...inflateSync(IDAT).subarray(row * (each + 1) + 1, (row + 1) * (each + 1)),
        ]);
        const pixels = PLTE
          ? bytes.flat().flatMap((index) => [...PLTE.subarray(3 * index, 3 * index + 3), tRNS?.[index] ?? 255])
          : bytes.flat();
        expect(pixels).toEqual([...rgba]);
      }),
    );
    // The IEND chunk with its checksum.
    expect(
      encodePng({ columns: 1, rows: 1, rgba: new Uint8ClampedArray(4) })
        .subarray(-12)
        .toString('hex'),
    ).toBe('0000000049454e44ae426082');
  });
});
