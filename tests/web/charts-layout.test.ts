// Axes and cursors of the views at any width.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { clockAt, period, renderClocks } from '../../web/charts/clocks/clocks.ts';
import { lineChart, xAt } from '../../web/charts/curve/curve.ts';
import { extent, largestDifference } from '../../web/charts/grid.ts';
import { textWidth } from '../../web/charts/text-metrics.ts';
import { createOutputChangeAxis, createOutputChangePicture, findBarIndex } from '../../web/figure/kinds/change/output-change.ts';
import { drawStripes, findStripe } from '../../web/figure/kinds/sentence/fingerprint.ts';

const zeros = (rows: number, columns: number) => ({ rows, columns, data: new Float32Array(rows * columns) });

describe('extent', () => {
  it('ignores non-finite values', () => {
    expect(extent([Number.NaN, 2, -1, Number.POSITIVE_INFINITY, 2])).toEqual({
      min: -1,
      max: 2,
      argmin: 2,
      argmax: 1,
      maskedCount: 2,
    });
    expect(extent([])).toMatchObject({ argmin: -1, argmax: -1, maskedCount: 0 });
  });
});

describe('largestDifference', () => {
  it('returns the largest difference of two corresponding values', () => {
    expect(largestDifference([1, -2, 3], [1.5, 1, 3])).toBe(3);
    expect(largestDifference([], [])).toBe(0);
  });

  it('is not finite if a value at any index is not finite', () => {
    const nonFinite = [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
    for (const value of nonFinite)
      for (const index of [0, 1, 2]) expect(largestDifference([5, 5, 5].with(index, value), [1, 2, 3])).not.toBeLessThan(1e9);
    expect(largestDifference([Number.POSITIVE_INFINITY], [Number.POSITIVE_INFINITY])).toBeNaN();
  });

  it('rejects arrays of different lengths', () => {
    expect(() => largestDifference([1], [1, 2])).toThrow('arrays of lengths 1 and 2 cannot be compared');
  });
});

describe('view layouts', () => {
  it('finds a clock by its centre, with fast clocks first', () => {
    const frequencies = [0.01, 1, 0.1];
    const picture = renderClocks({ frequencies, position: 2, title: '', width: 300 });
    expect(picture.layout.order).toEqual([1, 2, 0]);
    for (const mark of picture.marks) {
      if (mark.kind === 'circle' && mark.key?.startsWith('dial'))
        expect(`dial-${clockAt(picture.layout, mark.cx, mark.cy)}`).toBe(mark.key);
    }
    expect(period(1)).toBeCloseTo(2 * Math.PI);
    expect(period(0)).toBe(Number.POSITIVE_INFINITY);
  });

  it('rotates a clock hand by position * frequency, unwrapped', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 5000 }), fc.double({ min: 0.0001, max: 1, noNaN: true }), (position, frequency) => {
        const hand = renderClocks({ frequencies: [frequency], position, title: '', width: 100 }).marks.find(({ key }) => key === 'hand-0');
        expect(hand?.rotation?.degrees).toBeCloseTo((position * frequency * 180) / Math.PI, 6);
      }),
    );
  });

  it('draws any number of clocks at any width', () => {
    for (const count of [0, 1, 8, 64, 256]) {
      for (const width of [40, 390]) {
        const { layout, height } = renderClocks({ frequencies: new Float32Array(count).fill(0.5), position: 1, title: '', width });
        expect(Number.isFinite(height) && layout.columns >= 1).toBe(true);
      }
    }
  });

  it('places larger output differences farther right, on linear and logarithmic axes', () => {
    const positive = fc.double({ min: 1e-12, max: 1e6, noNaN: true });
    fc.assert(
      fc.property(fc.array(positive, { minLength: 1, maxLength: 20 }), (values) => {
        const axis = createOutputChangeAxis(values, 'auto', 50, 350);
        for (const value of values) {
          expect(axis.toX(value)).toBeGreaterThan(50);
          expect(axis.toX(value)).toBeLessThanOrEqual(350 + 1e-6);
          for (const other of values) if (other > value) expect(axis.toX(other)).toBeGreaterThanOrEqual(axis.toX(value));
        }
        expect(axis.toX(0)).toBe(50);
      }),
    );
    expect(createOutputChangeAxis([1e-7, 1], 'auto', 0, 100).isLogarithmic).toBe(true);
    expect(createOutputChangeAxis([0.5, 1, 0], 'auto', 0, 100).isLogarithmic).toBe(false);
    expect(createOutputChangeAxis([0, 0], 'log', 0, 100).isLogarithmic).toBe(false);
  });

  it('draws a bar only for positive differences', () => {
    const picture = createOutputChangePicture({ words: ['a', 'b', 'c'], differences: [0, 1, Number.NaN], title: '', width: 300 });
    expect(picture.marks.filter(({ key }) => key?.startsWith('bar-')).map(({ key }) => key)).toEqual(['bar-1']);
    expect(picture.marks.flatMap((mark) => (mark.key?.startsWith('number-') && mark.kind === 'text' ? [mark.text] : []))).toEqual([
      'exactly 0',
      '1.00',
      'unknown',
    ]);
    expect(findBarIndex(picture.layout, picture.layout.top + 1)).toBe(0);
    expect(findBarIndex(picture.layout, 0)).toBeUndefined();
  });

  it('truncates the axis title to the available width', () => {
    for (const width of [200, 300, 358]) {
      const { marks } = createOutputChangePicture({
        words: ['internationalisation'],
        differences: [1],
        title: '',
        quantity: 'largest difference in a word’s output',
        width,
      });
      const caption = marks.find((mark) => mark.kind === 'text' && mark.text.startsWith('largest'));
      expect(caption?.kind === 'text' && caption.x + textWidth(caption.text)).toBeLessThanOrEqual(width);
    }
  });

  it('draws no bar for rounding errors, which a logarithmic axis would enlarge', () => {
    const spec = { words: ['a', 'b', 'c'], differences: [1.2e-7, 3e-8, 0], title: '', width: 300, maxRoundingError: 1e-6 };
    const drawDifferences = (differences: readonly number[]) => {
      const { marks } = createOutputChangePicture({ ...spec, differences, reference: { value: 1, label: 'largest output' } });
      return {
        bars: marks.flatMap(({ key }) => (key?.startsWith('bar-') ? [key] : [])),
        numbers: marks.flatMap((mark) => (mark.key?.startsWith('number-') && mark.kind === 'text' ? [mark.text] : [])),
      };
    };
    expect(drawDifferences(spec.differences)).toEqual({ bars: [], numbers: ['1.20×10⁻⁷, rounding', '3.00×10⁻⁸, rounding', 'exactly 0'] });
    expect(drawDifferences([1.2e-7, 0.4, 0.2]).bars).toEqual(['bar-1', 'bar-2']);
  });

  it('finds a stripe and its dimension', () => {
    const spec = {
      grid: zeros(2, 8),
      rowBoxes: [
        { x: 0, y: 0, width: 80, height: 10 },
        { x: 100, y: 0, width: 80, height: 10 },
      ],
    };
    expect(findStripe(spec, 125, 5)).toEqual({ row: 1, column: 2 });
    expect(findStripe(spec, 90, 5)).toBeUndefined();
    const picture = drawStripes({ ...spec, scale: 'sequential', theme: 'light', title: '', width: 200, height: 12 });
    expect(picture.rasters.map(({ columns, rows }) => [columns, rows])).toEqual([
      [8, 1],
      [8, 1],
    ]);
  });

  it('draws empty curves, curves of one point and curves with gaps', () => {
    for (const y of [[], [1], [Number.NaN, Number.NaN], [2, 2, 2]]) {
      const picture = lineChart({
        series: [{ name: 's', x: y.map((_, i) => i), y }],
        title: '',
        xTitle: 'x',
        yTitle: 'y',
        width: 300,
        height: 200,
        cursor: 1,
      });
      expect(JSON.stringify(picture.marks)).not.toMatch(/NaN|null/);
      expect(xAt(picture.layout, picture.layout.plot.x)).toBeCloseTo(picture.layout.xDomain[0]);
    }
  });
});
