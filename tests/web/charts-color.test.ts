import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { paletteSheets, readColors } from '../../scripts/palette.mjs';
import {
  chooseReadableInk,
  colorIndex,
  colorOf,
  colorScaleOf,
  cyclicScale,
  divergingScale,
  MASKED_COLORS,
  paint,
  sequentialScale,
  TABLE_SIZE,
} from '../../web/charts/color.ts';
import { TONES } from '../../web/charts/picture.ts';
import { PALETTES } from '../../web/charts/render/palette.ts';

const numbers = fc.array(fc.float(), { maxLength: 40 });
const linear = (byte = 0): number => (byte / 255 <= 0.04045 ? byte / 255 / 12.92 : ((byte / 255 + 0.055) / 1.055) ** 2.4);
const luminance = ([red, green, blue]: readonly number[]): number => {
  return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue);
};
/** Oklab lightness (Ottosson 2020) of a colour after `matrix` is applied to its linear RGB. */
function lightness(matrix: readonly number[], color: readonly number[]): number {
  const from = color.map(linear);
  const row = (weights: readonly number[], of: readonly number[]) =>
    weights.reduce((sum, weight, i) => sum + weight * (of[i] as number), 0);
  const adapted = [0, 3, 6].map((at) => Math.max(0, row(matrix.slice(at, at + 3), from)));
  return (
    0.2104542553 * Math.cbrt(row([0.4122214708, 0.5363325363, 0.0514459929], adapted)) +
    0.793617785 * Math.cbrt(row([0.2119034982, 0.6806995451, 0.1073969566], adapted)) -
    0.0040720468 * Math.cbrt(row([0.0883024619, 0.2817188376, 0.6299787005], adapted))
  );
}
const entry = (table: Uint8Array, index: number): number[] => [...table.subarray(3 * index, 3 * index + 3)];
const hex = (color: string): number[] => [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16));
const contrast = (a: string, b: string): number => {
  const [x, y] = [luminance(hex(a)), luminance(hex(b))];
  return (Math.max(x, y) + 0.05) / (Math.min(x, y) + 0.05);
};

describe('color scale', () => {
  it('takes its domain from the finite values', () => {
    expect(sequentialScale([Number.NaN, 0.5, Number.NEGATIVE_INFINITY, 0.25], 'light').domain).toEqual([0.25, 0.5]);
    expect(divergingScale([-0.5, 2, Number.POSITIVE_INFINITY], 'light').domain).toEqual([-2, 2]);
    expect(cyclicScale().domain).toEqual([0, 2 * Math.PI]);
  });

  it('has a finite domain for equal, masked or no values, and maps equal values to the middle colour', () => {
    for (const data of [[], [Number.NaN], [3, 3], [0]]) {
      for (const kind of ['sequential', 'diverging'] as const) {
        const scale = colorScaleOf(kind, data, 'light');
        expect(scale.domain.every(Number.isFinite)).toBe(true);
        expect(colorIndex(scale, scale.domain[0])).toBeGreaterThanOrEqual(0);
      }
    }
    expect(colorIndex(sequentialScale([3, 3], 'light'), 3)).toBe(128);
  });

  it('stays inside the table and is monotonic', () => {
    fc.assert(
      fc.property(numbers, fc.constantFrom('sequential', 'diverging', 'cyclic'), (data, kind) => {
        const scale = colorScaleOf(kind, data, 'dark');
        const finite = data.filter(Number.isFinite).sort((a, b) => a - b);
        const indices = finite.map((value) => colorIndex(scale, value));
        for (const index of indices) expect(Number.isInteger(index) && index >= 0 && index < TABLE_SIZE).toBe(true);
        if (kind !== 'cyclic') expect(indices).toEqual([...indices].sort((a, b) => a - b));
      }),
    );
  });

  it('maps zero to the background colour if it is diverging', () => {
    for (const theme of ['light', 'dark'] as const) {
      fc.assert(
        fc.property(numbers, (data) => {
          expect(colorOf(divergingScale([...data, 0], theme), 0)).toBe(PALETTES[theme].ground);
        }),
      );
    }
  });

  it('repeats every 2π if it is cyclic', () => {
    const scale = cyclicScale();
    fc.assert(
      fc.property(fc.double({ min: 0, max: 6.28, noNaN: true }), fc.integer({ min: -5, max: 5 }), (angle, turns) => {
        const difference = Math.abs(colorIndex(scale, angle) - colorIndex(scale, angle + 2 * Math.PI * turns));
        expect(Math.min(difference, TABLE_SIZE - difference)).toBeLessThanOrEqual(1);
      }),
    );
  });
});

describe('color table', () => {
  // Matrices for linear RGB (Machado, Oliveira and Fernandes 2009, severity 1).
  const VISIONS = {
    usual: [1, 0, 0, 0, 1, 0, 0, 0, 1],
    protanopia: [0.152286, 1.052583, -0.204868, 0.114503, 0.786281, 0.099216, -0.003882, -0.048116, 1.051998],
    deuteranopia: [0.367322, 0.860646, -0.227968, 0.280085, 0.672501, 0.047413, -0.01182, 0.04294, 0.968881],
    tritanopia: [1.255528, -0.076749, -0.178779, -0.078411, 0.930809, 0.147602, 0.004733, 0.691367, 0.3039],
  } as const;

  it('changes monotonically in lightness from the background, also with colour blindness', () => {
    for (const [theme, sign] of [
      ['light', -1],
      ['dark', 1],
    ] as const)
      for (const [vision, matrix] of Object.entries(VISIONS)) {
        const { table } = sequentialScale([], theme);
        expect(table.length).toBe(3 * TABLE_SIZE);
        const at = (i: number) => sign * lightness(matrix, entry(table, i));
        for (let i = 1; i < TABLE_SIZE; i++) expect(at(i) - at(i - 1), `${theme} ${vision} ${i}`).toBeGreaterThan(-2e-3);
        for (let i = 16; i < TABLE_SIZE; i++) expect(at(i) - at(i - 16), `${theme} ${vision} ${i}`).toBeGreaterThan(0.01);
      }
  });

  it('leaves numbers readable on every colour', () => {
    for (const theme of ['light', 'dark'] as const)
      for (const kind of ['sequential', 'diverging', 'cyclic'] as const) {
        const { table } = colorScaleOf(kind, [0, 1], theme);
        for (let i = 0; i < TABLE_SIZE; i++) {
          const color = entry(table, i);
          const ink = [1, 3, 5].map((at) => Number.parseInt(chooseReadableInk(color).slice(at, at + 2), 16));
          const [low = 0, high = 0] = [luminance(color), luminance(ink)].sort((a, b) => a - b);
          expect((high + 0.05) / (low + 0.05), `${theme} ${kind} ${i}`).toBeGreaterThan(4.49);
        }
      }
  });

  it('moves away from the background on both sides if it is diverging', () => {
    for (const [theme, sign] of [
      ['light', -1],
      ['dark', 1],
    ] as const) {
      const { table } = divergingScale([], theme);
      for (let i = 0; i < 127; i++) {
        const step = sign * (luminance(entry(table, 129 + i)) - luminance(entry(table, 128 + i)));
        const other = sign * (luminance(entry(table, 127 - i)) - luminance(entry(table, 128 - i)));
        expect(Math.min(step, other)).toBeGreaterThan(-1e-3);
      }
    }
  });
});

describe('square-root scale', () => {
  it('distinguishes small values beside a large one', () => {
    const [linear, root] = (['sequential', 'root'] as const).map((kind) => colorScaleOf(kind, [0, 1], 'light'));
    if (!linear || !root) throw new Error('two scales');
    expect([0, 1].map((value) => colorIndex(root, value))).toEqual([0, 255]);
    expect(colorIndex(root, 0.01)).toBe(26);
    expect(colorIndex(linear, 0.01)).toBe(3);
    expect(root.table).toEqual(linear.table);
  });
});

describe('paint', () => {
  it('gives every cell the colour of its value', () => {
    const cells = fc.array(fc.oneof(fc.float({ noNaN: true, noDefaultInfinity: true, min: -8, max: 8 }), fc.constant(0)), { minLength: 1 });
    fc.assert(
      fc.property(fc.constantFrom('sequential', 'root', 'diverging', 'cyclic'), cells, (kind, values) => {
        const data = Float32Array.from(values);
        const scale = colorScaleOf(kind, data, 'light');
        const rgba = paint({ rows: 1, columns: data.length, data }, scale, 'light');
        for (const [at, value] of data.entries())
          expect([...rgba.subarray(4 * at, 4 * at + 4)], `${value}`).toEqual([...entry(scale.table, colorIndex(scale, value)), 255]);
      }),
    );
  });

  it('gives masked cells a distinct colour', () => {
    const data = Float32Array.of(Number.NaN, Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY, 1, 0);
    for (const theme of ['light', 'dark'] as const) {
      for (const kind of ['sequential', 'diverging', 'cyclic'] as const) {
        const scale = colorScaleOf(kind, data, theme);
        const rgba = paint({ rows: 1, columns: 5, data }, scale, theme);
        for (let i = 0; i < 3; i++) expect([...rgba.subarray(4 * i, 4 * i + 4)]).toEqual([...MASKED_COLORS[theme], 255]);
        for (let i = 0; i < TABLE_SIZE; i++) expect(entry(scale.table, i)).not.toEqual([...MASKED_COLORS[theme]]);
      }
    }
  });
});

describe('theme', () => {
  it.each(Object.entries(paletteSheets(readColors())))('is up to date in %s (npm run docs)', (file, sheet) => {
    expect(readFileSync(file, 'utf8')).toBe(sheet);
  });

  it.each(['light', 'dark'] as const)('has sufficient contrast in every text tone: %s', (theme) => {
    const { ground, tones } = PALETTES[theme];
    for (const tone of TONES) {
      if (!['hairline', 'halo', 'hatch', 'wedge'].includes(tone)) expect(contrast(tones[tone], ground), tone).toBeGreaterThanOrEqual(4.5);
    }
  });
});
