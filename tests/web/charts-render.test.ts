import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { renderClocks } from '../../web/charts/clocks/clocks.ts';
import { lineChart } from '../../web/charts/curve/curve.ts';
import { heatmap } from '../../web/charts/heatmap/heatmap.ts';
import type { Picture, Raster } from '../../web/charts/picture.ts';
import { toSvgElement } from '../../web/charts/render/attributes.ts';
import { interpolateMark, interpolateMarks, interpolateText } from '../../web/charts/render/glide.ts';
import { PALETTES } from '../../web/charts/render/palette.ts';
import { ease } from '../../web/charts/render/screen.ts';
import { toSvg } from '../../web/charts/render/svg.ts';
import { createOutputChangePicture } from '../../web/figure/kinds/change/output-change.ts';
import { drawStripes } from '../../web/figure/kinds/sentence/fingerprint.ts';
import { drawArcs } from '../../web/figure/words/arcs.ts';

/** Replaces PNG encoding: the size and the first colours, as text. */
const outline = ({ columns, rows, rgba }: Raster): string => `data:,${columns}x${rows}-${[...rgba.subarray(0, 16)].join('-')}`;

const words = ['Rohan', 'killed', 'the', 'lion'];
const weights = Float32Array.of(
  1,
  -Infinity,
  -Infinity,
  -Infinity,
  0.7,
  0.3,
  -Infinity,
  -Infinity,
  0.2,
  0.5,
  0.3,
  -Infinity,
  0.1,
  0.2,
  0.3,
  0.4,
);
const angles = { rows: 2, columns: 4, data: Float32Array.of(0, 0, 0, 0, 1, 0.1, 0.01, 0.001) };

const pictures = {
  heatmap: () =>
    heatmap({
      grid: { rows: 4, columns: 4, data: weights },
      title: 'Weights of head 3',
      theme: 'light',
      scale: 'sequential',
      quantity: 'weight',
      rowLabels: words,
      columnLabels: words,
      rowTitle: 'query',
      columnTitle: 'key',
      width: 300,
      cursor: { row: 1, column: 0 },
    }),
  'heatmap without words': () =>
    heatmap({
      grid: { rows: 40, columns: 8, data: Float32Array.from({ length: 320 }, (_, i) => Math.sin(i)) },
      title: 'Table',
      theme: 'dark',
      scale: 'diverging',
      quantity: 'value',
      unit: 'rad',
      width: 240,
      cursor: { row: 7 },
    }),
  arcs: () =>
    drawArcs({
      wordPlaces: [40, 140, 240, 40].map((x, i) => ({ x, y: i < 3 ? 90 : 160, height: 36 })),
      weights: [0.25, 0.5, 0, 0.25],
      queryIndex: 1,
      width: 300,
      height: 200,
      title: 'Attention of killed',
      words,
      cursor: 0,
    }),
  fingerprint: () =>
    drawStripes({
      grid: angles,
      scale: 'cyclic',
      theme: 'light',
      title: 'Angles',
      quantity: 'angle',
      unit: 'radians',
      rowBoxes: [
        { x: 0, y: 2, width: 80, height: 12 },
        { x: 90, y: 2, width: 80, height: 12 },
      ],
      width: 180,
      height: 16,
      cursor: { row: 1, column: 2 },
    }),
  clocks: () => renderClocks({ frequencies: [1, 0.1, 0.01], position: 3, title: 'Clocks of position 3', width: 200, cursor: 1 }),
  outputChange: () =>
    createOutputChangePicture({
      words,
      differences: [1.2e-7, 1, 0, 3e-4],
      title: 'Change in each word’s output',
      width: 320,
      cursor: 3,
      reference: { value: 1e-6, label: 'rounding errors' },
    }),
  curve: () =>
    lineChart({
      series: [
        { name: 'head 1', x: [0, 1, 2, 3], y: [1, 0.5, Number.NaN, 0.125] },
        { name: 'head 2', x: [0, 3], y: [0.2, 0.1] },
      ],
      title: 'Weight by distance',
      xTitle: 'distance',
      yTitle: 'weight',
      width: 320,
      height: 200,
      cursor: 1,
    }),
};

describe('toSvg', () => {
  it.each(Object.entries<() => Picture>(pictures))('%s', (name, make) => {
    const picture = make();
    const svg = toSvg(picture, outline, PALETTES[name === 'heatmap without words' ? 'dark' : 'light']);
    expect(svg).toMatchSnapshot();
    expect(svg).not.toMatch(/NaN|undefined|Infinity|var\(|="[^"]*\.\d{3}/);
    const keys = picture.marks.flatMap(({ kind, key }) => (key ? [`${kind}:${key}`] : []));
    expect(new Set(keys).size).toBe(keys.length);
  });

  it('is the same for the same data', () => {
    for (const make of Object.values(pictures)) expect(make()).toEqual(make());
  });

  it('escapes text', () => {
    fc.assert(
      fc.property(fc.string(), (word) => {
        const svg = toSvg({ ...pictures.clocks(), title: `<&"${word}\u0000` }, outline, PALETTES.light);
        const title = /<title>([^<]*)<\/title>/.exec(svg)?.[1];
        expect(title).toBeDefined();
        expect(title).not.toMatch(/\p{Cc}|&(?!amp;|lt;|gt;|quot;)/u);
      }),
    );
  });
});

describe('toSvgElement', () => {
  it('rounds to two decimals, and colours by tone unless the mark has a colour', () => {
    const mark = { kind: 'path', tone: 'accent', d: 'M0.123456,-1.005999C1e-9,2', stroke: 1.239 } as const;
    expect(toSvgElement(mark, 'currentColor').attributes).toMatchObject({
      d: 'M0.12,-1.01C1e-9,2',
      stroke: 'currentColor',
      'stroke-width': '1.24',
    });
    expect(toSvgElement({ ...mark, color: '#123456' }, 'currentColor').attributes).toMatchObject({ stroke: '#123456' });
  });
});

describe('transition', () => {
  it('interpolates numbers', () => {
    const interpolate = interpolateText('M0,10C5,5', 'M10,0C5,-5');
    expect(interpolate?.(0)).toBe('M0,10C5,5');
    expect(interpolate?.(0.5)).toBe('M5,5C5,0');
    expect(interpolate?.(1)).toBe('M10,0C5,-5');
  });
  it('returns undefined for texts that cannot be interpolated', () => {
    expect(interpolateText('M0,0L1,1', 'M0,0C1,1')).toBeUndefined();
    expect(interpolateText('5', '5')).toBeUndefined();
    expect(interpolateText('#111111', '#222222')).toBeUndefined();
    expect(interpolateText('', '3')).toBeUndefined();
  });
  it('interpolates marks with a key: numbers, rotation and path', () => {
    const bar = { kind: 'rect', tone: 'accent', key: 'bar', x: 0, y: 10, width: 4, height: 2 } as const;
    const interpolate = interpolateMarks(
      [bar],
      [
        { ...bar, x: 8, width: 6, tone: 'cursor' },
        { ...bar, key: 'other' },
      ],
    );
    expect(interpolate?.(0.5)).toEqual([
      { ...bar, x: 4, width: 5, tone: 'cursor' },
      { ...bar, key: 'other' },
    ]);
    const hand = { kind: 'line', tone: 'ink', x1: 0, y1: 0, x2: 0, y2: 9, rotation: { degrees: 0, x: 0, y: 0 } } as const;
    expect(interpolateMark(hand, { ...hand, rotation: { degrees: 720, x: 2, y: 0 } })?.(0.25)).toMatchObject({
      rotation: { degrees: 180, x: 0.5, y: 0 },
    });
    const arc = { kind: 'path', tone: 'accent', d: 'M0,0C1,1', stroke: 2, opacity: 1 } as const;
    expect(interpolateMark(arc, { ...arc, d: 'M2,0C1,3', stroke: 4 })?.(0.5)).toMatchObject({ d: 'M1,0C1,2', stroke: 3, opacity: 1 });
  });
  it('does not animate marks without a key, of another kind or at the same place', () => {
    const line = { kind: 'line', tone: 'ink', x1: 0, y1: 0, x2: 0, y2: 9 } as const;
    expect(interpolateMarks([line], [{ ...line, x1: 5 }])).toBeUndefined();
    expect(interpolateMarks([{ ...line, key: 'a' }], [{ ...line, key: 'a' }])).toBeUndefined();
    expect(interpolateMark(line, { kind: 'circle', tone: 'ink', cx: 0, cy: 0, r: 3 })).toBeUndefined();
  });
  it('eases in and out', () => {
    expect([ease(0), ease(0.5), ease(1)]).toEqual([0, 0.5, 1]);
    fc.assert(
      fc.property(
        fc.integer({ min: -999, max: 999 }),
        fc.integer({ min: -999, max: 999 }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (a, b, t) => {
          fc.pre(a !== b);
          const value = Number(interpolateText(String(a), String(b))?.(ease(t)));
          expect(value).toBeGreaterThanOrEqual(Math.min(a, b));
          expect(value).toBeLessThanOrEqual(Math.max(a, b));
        },
      ),
    );
  });
});
