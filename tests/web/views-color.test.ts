import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  colorIndex,
  colorOf,
  cyclicScale,
  divergingScale,
  MASKED,
  paint,
  scaleOf,
  sequentialScale,
  TABLE_SIZE,
} from '../../web/views/color.ts';
import { TONES } from '../../web/views/picture.ts';
import { PALETTES } from '../../web/views/render/palette.ts';

const numbers = fc.array(fc.float(), { maxLength: 40 });
const luminance = ([red, green, blue]: readonly number[]): number => {
  const linear = (byte = 0): number => (byte / 255 <= 0.04045 ? byte / 255 / 12.92 : ((byte / 255 + 0.055) / 1.055) ** 2.4);
  return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue);
};
const entry = (table: Uint8Array, index: number): number[] => [...table.subarray(3 * index, 3 * index + 3)];
const hex = (color: string): number[] => [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16));
const contrast = (a: string, b: string): number => {
  const [x, y] = [luminance(hex(a)), luminance(hex(b))];
  return (Math.max(x, y) + 0.05) / (Math.min(x, y) + 0.05);
};

describe('color scales', () => {
  it('take their domain from the finite numbers', () => {
    expect(sequentialScale([Number.NaN, 0.5, Number.NEGATIVE_INFINITY, 0.25]).domain).toEqual([0.25, 0.5]);
    expect(divergingScale([-0.5, 2, Number.POSITIVE_INFINITY], 'light').domain).toEqual([-2, 2]);
    expect(cyclicScale().domain).toEqual([0, 2 * Math.PI]);
  });

  it('have a middle colour for equal, masked or no values', () => {
    for (const data of [[], [Number.NaN], [3, 3], [0]]) {
      for (const kind of ['sequential', 'diverging'] as const) {
        const scale = scaleOf(kind, data, 'light');
        expect(scale.domain.every(Number.isFinite)).toBe(true);
        expect(colorIndex(scale, scale.domain[0])).toBeGreaterThanOrEqual(0);
      }
    }
    expect(colorIndex(sequentialScale([3, 3]), 3)).toBe(128);
  });

  it('stay inside the table and are monotonic', () => {
    fc.assert(
      fc.property(numbers, fc.constantFrom('sequential', 'diverging', 'cyclic'), (data, kind) => {
        const scale = scaleOf(kind, data, 'dark');
        const finite = data.filter(Number.isFinite).sort((a, b) => a - b);
        const indices = finite.map((value) => colorIndex(scale, value));
        for (const index of indices) expect(Number.isInteger(index) && index >= 0 && index < TABLE_SIZE).toBe(true);
        if (kind !== 'cyclic') expect(indices).toEqual([...indices].sort((a, b) => a - b));
      }),
    );
  });

  it('give zero the background colour of the theme', () => {
    for (const theme of ['light', 'dark'] as const) {
      fc.assert(
        fc.property(numbers, (data) => {
          expect(colorOf(divergingScale([...data, 0], theme), 0)).toBe(PALETTES[theme].ground);
        }),
      );
    }
  });

  it('repeat every 2π', () => {
    const scale = cyclicScale();
    fc.assert(
      fc.property(fc.double({ min: 0, max: 6.28, noNaN: true }), fc.integer({ min: -5, max: 5 }), (angle, turns) => {
        const apart = Math.abs(colorIndex(scale, angle) - colorIndex(scale, angle + 2 * Math.PI * turns));
        expect(Math.min(apart, TABLE_SIZE - apart)).toBeLessThanOrEqual(1);
      }),
    );
  });
});

describe('color tables', () => {
  it('increase in lightness in the sequential one', () => {
    const { table } = sequentialScale([]);
    expect(table.length).toBe(3 * TABLE_SIZE);
    for (let i = 1; i < TABLE_SIZE; i++) expect(luminance(entry(table, i))).toBeGreaterThan(luminance(entry(table, i - 1)) - 1e-3);
    for (let i = 8; i < TABLE_SIZE; i++) expect(luminance(entry(table, i))).toBeGreaterThan(luminance(entry(table, i - 8)));
  });

  it('diverge from the background on both sides of the diverging one', () => {
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

describe('paint', () => {
  it('gives every cell the colour of its number', () => {
    const cells = fc.array(fc.oneof(fc.float({ noNaN: true, noDefaultInfinity: true, min: -8, max: 8 }), fc.constant(0)), { minLength: 1 });
    fc.assert(
      fc.property(fc.constantFrom('sequential', 'diverging', 'cyclic'), cells, (kind, values) => {
        const data = Float32Array.from(values);
        const scale = scaleOf(kind, data, 'light');
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
        const scale = scaleOf(kind, data, theme);
        const rgba = paint({ rows: 1, columns: 5, data }, scale, theme);
        for (let i = 0; i < 3; i++) expect([...rgba.subarray(4 * i, 4 * i + 4)]).toEqual([...MASKED[theme], 255]);
        for (let i = 0; i < TABLE_SIZE; i++) expect(entry(scale.table, i)).not.toEqual([...MASKED[theme]]);
      }
    }
  });
});

describe('the theme', () => {
  const css = readFileSync(new URL('../../web/views/views.css', import.meta.url), 'utf8');
  const blocks = css
    .split(/^\s+color-scheme:/m)
    .slice(1)
    .map((block) => block.slice(0, block.indexOf('}')));

  it.each([
    ['light', 0],
    ['dark', 1],
    ['dark', 2],
  ] as const)('says the same in the style sheet and the palette: %s', (theme, block) => {
    const declared = Object.fromEntries(
      [...(blocks[block] ?? '').matchAll(/--([\w-]+): (#\w+);/g)].map(([, name, color]) => [name, color]),
    );
    expect(declared).toEqual({ ground: PALETTES[theme].ground, ...PALETTES[theme].tones });
  });

  it.each(['light', 'dark'] as const)('has sufficient contrast in every tone used for text: %s', (theme) => {
    const { ground, tones } = PALETTES[theme];
    for (const tone of TONES) {
      if (!['hairline', 'halo', 'hatch'].includes(tone)) expect(contrast(tones[tone], ground), tone).toBeGreaterThanOrEqual(4.5);
    }
  });
});
