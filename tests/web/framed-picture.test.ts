// Pictures for print: cropped to the drawn area, with a margin, a title and a line about the source.
import { expect, it } from 'vitest';
import { computeBounds } from '../../web/charts/bounds.ts';
import type { Mark, Picture } from '../../web/charts/picture.ts';
import { textWidth } from '../../web/charts/text-metrics.ts';
import { breakLines, framePicture } from '../../web/figure/export/framed.ts';

const pictureOf = (marks: readonly Mark[], overrides: Partial<Picture> = {}): Picture => ({
  width: 400,
  height: 300,
  title: 'title',
  description: 'description',
  rasters: [],
  marks,
  ...overrides,
});
const box = (x: number, y: number, width: number, height: number): Mark => ({ kind: 'rect', tone: 'ink', x, y, width, height });

it.each<[string, Mark, readonly [number, number, number, number]]>([
  ['a rectangle', box(50, 60, 70, 80), [50, 60, 70, 80]],
  ['a circle with its stroke', { kind: 'circle', tone: 'ink', cx: 100, cy: 90, r: 10, outline: true, stroke: 4 }, [88, 78, 24, 24]],
  ['a line', { kind: 'line', tone: 'ink', x1: 10, y1: 20, x2: 30, y2: 20 }, [9.5, 19.5, 21, 1]],
  ['a path in absolute and relative steps', { kind: 'path', tone: 'ink', fill: true, d: 'M10 20h30v40H20Vl-5-5Z' }, [10, 20, 30, 40]],
  ['a moved path', { kind: 'path', tone: 'ink', fill: true, d: 'M0,0L10,10', by: { x: 100, y: 50 } }, [100, 50, 10, 10]],
  ['a curve, by its control points', { kind: 'path', tone: 'ink', fill: true, d: 'M10 10C10 0,50 0,50 10' }, [10, 0, 40, 10]],
  ['a rotated rectangle', { ...box(100, 100, 40, 20), rotation: { degrees: 90, x: 100, y: 100 } } as Mark, [80, 100, 20, 40]],
])('computes the bounds of %s', (_, mark, expected) => {
  const { x, y, width, height } = computeBounds(pictureOf([mark]));
  [x, y, width, height].forEach((value, index) => void expect(value).toBeCloseTo(expected[index] as number, 6));
});

it('returns the bounds of the picture if nothing is drawn, and never exceeds them', () => {
  expect(computeBounds(pictureOf([]))).toEqual({ x: 0, y: 0, width: 400, height: 300 });
  expect(computeBounds(pictureOf([{ ...box(0, 0, 9, 9), opacity: 0 } as Mark]))).toEqual({ x: 0, y: 0, width: 400, height: 300 });
  expect(computeBounds(pictureOf([box(-50, 20, 1000, 10)]))).toEqual({ x: 0, y: 20, width: 400, height: 10 });
});

it('contains a semicircle that is drawn as an arc', () => {
  const arc: Mark = { kind: 'path', tone: 'ink', fill: true, d: 'M100 100A50 50 0 0 1 200 100' };
  const { x, y, width, height } = computeBounds(pictureOf([arc]));
  expect([x <= 100, y <= 50, x + width >= 200, y + height >= 100]).toEqual([true, true, true, true]);
});

it('rejects an unsupported path command', () => {
  expect(() => computeBounds(pictureOf([{ kind: 'path', tone: 'ink', d: 'M0 0T10 10' }]))).toThrow('d: T is not a supported path command');
});

it('adds equal margins around the drawn area', () => {
  const raster = { x: 60, y: 70, width: 100, height: 50, columns: 1, rows: 1, rgba: new Uint8ClampedArray(4) };
  const framed = framePicture(pictureOf([box(60, 70, 100, 50)], { rasters: [raster] }), { margin: 24 });
  expect([framed.width, framed.height]).toEqual([148, 98]);
  expect(framed.rasters[0]).toMatchObject({ x: 24, y: 24 });
  expect(framed.marks).toEqual([box(24, 24, 100, 50)]);
  expect(framePicture(pictureOf([box(60, 70, 100, 50)]), { margin: 0 })).toMatchObject({ width: 100, height: 50 });
});

it('wraps title and source to the width, outside the picture', () => {
  const title = 'Does attention depend on the order of the words in a sentence?';
  const source = 'Phasor: kind="sentence" text="the more you see, the less you know" encoding="rope base=500000"';
  const framed = framePicture(pictureOf([box(60, 70, 100, 50)]), { margin: 24, title, source });
  const texts = framed.marks.filter((mark) => mark.kind === 'text');
  const bounds = computeBounds({ ...framed, marks: framed.marks.filter((mark) => mark.kind === 'rect') });
  expect(texts.map(({ text }) => text).join(' ')).toBe(`${title} ${source}`);
  for (const { text, x, y, size, bold } of texts) {
    expect(x + textWidth(text, size, bold)).toBeLessThanOrEqual(framed.width - 24 + 1e-9);
    expect(y + 0.6 * (size ?? 0) <= bounds.y || y - 0.6 * (size ?? 0) >= bounds.y + bounds.height, text).toBe(true);
    expect(y).toBeLessThan(framed.height - 24);
  }
});

it('breaks lines between words, and keeps a word that is longer than a line', () => {
  expect(breakLines('a b', 1000, 13)).toEqual(['a b']);
  expect(breakLines(`a ${'x'.repeat(90)} b`, 100, 13)).toEqual(['a', 'x'.repeat(90), 'b']);
  expect(breakLines('  ', 100, 13)).toEqual([]);
});
