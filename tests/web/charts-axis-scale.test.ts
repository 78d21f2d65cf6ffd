// Scales and paths against d3-scale and d3-shape.
import { scaleLinear, scaleLog } from 'd3-scale';
import { area, curveStep, line } from 'd3-shape';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { linearScale, logScale, niceDomain } from '../../web/charts/curve/axis-scale.ts';
import { areaPath, linePath } from '../../web/charts/curve/line-path.ts';

const number = fc.double({ min: -1e6, max: 1e6, noNaN: true, noDefaultInfinity: true });
const width = fc.double({ min: 1e-4, max: 1e6, noNaN: true });
const count = fc.double({ min: 0.5, max: 12, noNaN: true });

describe('linearScale', () => {
  it('matches the ticks and positions of d3-scale', () => {
    fc.assert(
      fc.property(number, width, count, number, (from, wide, count, value) => {
        const domain = [from, from + wide] as const;
        const actual = linearScale(domain, [17, 600]);
        const expected = scaleLinear([...domain], [17, 600]);
        expect(actual.ticks(count)).toEqual(expected.ticks(count));
        expect(actual(value)).toBe(expected(value));
        expect(actual.invert(300)).toBe(expected.invert(300));
        expect(actual.clamped()(value)).toBe(expected.copy().clamp(true)(value));
      }),
    );
  });

  it('begins and ends with a tick on a nice domain', () => {
    fc.assert(
      fc.property(number, width, fc.integer({ min: 2, max: 12 }), (from, wide, count) => {
        const [low, high] = niceDomain([from, from + wide], count);
        const ticks = linearScale([low, high], [0, 1]).ticks(count);
        const step = (ticks[1] as number) - (ticks[0] as number);
        expect(low).toBeLessThanOrEqual(from);
        expect(high).toBeGreaterThanOrEqual(from + wide);
        // If widening the domain enlarges the step, it is widened again; -0 equals 0.
        expect([ticks[0] === low, ticks.at(-1) === high]).toEqual([true, true]);
        expect(Math.max(from - low, high - from - wide)).toBeLessThan(step * 2);
      }),
      { numRuns: 1000 },
    );
    expect(niceDomain([0, 0.83], 4)).toEqual([0, 1]);
    expect(niceDomain([2, 2], 4)).toEqual([2, 2]);
  });

  it('maps a domain without width to the middle, and NaN to NaN', () => {
    expect(linearScale([3, 3], [0, 10])(3)).toBe(5);
    expect(linearScale([3, 3], [0, 10]).ticks(5)).toEqual([3]);
    expect(linearScale([0, 1], [0, 10])(Number.NaN)).toBeNaN();
  });
});

describe('logScale', () => {
  it('matches the ticks and positions of d3-scale', () => {
    const positiveNumber = fc.double({ min: -9, max: 9, noNaN: true }).map((power) => 10 ** power);
    const factor = fc.double({ min: 0.01, max: 14, noNaN: true }).map((power) => 10 ** power);
    fc.assert(
      fc.property(positiveNumber, factor, count, positiveNumber, (from, times, count, value) => {
        const domain = [from, from * times] as const;
        const actual = logScale(domain, [300, 20]);
        const expected = scaleLog([...domain], [300, 20]);
        expect(actual.ticks(count)).toEqual(expected.ticks(count));
        expect(actual(value)).toBe(expected(value));
        expect(actual.clamped()(value)).toBe(expected.copy().clamp(true)(value));
      }),
    );
    expect(Number.isFinite(logScale([1, 10], [0, 1])(0))).toBe(false);
  });
});

describe('linePath and areaPath', () => {
  const numbers = fc.array(fc.option(fc.integer({ min: -5000, max: 5000 }).map((n) => n / 16)), { maxLength: 12 });

  it('draw the lines of d3-shape, with its gaps, steps and single points', () => {
    fc.assert(
      fc.property(numbers, (values) => {
        const points = values.map((y, index) => (y === null ? undefined : { x: 7 * index, y }));
        const d3 = line<number | null>()
          .defined((y) => y !== null)
          .x((_, index) => 7 * index)
          .y((y) => y as number)
          .digits(2);
        expect(linePath(points)).toBe(d3(values) ?? '');
        expect(linePath(points, 'step')).toBe(d3.curve(curveStep)(values) ?? '');
      }),
    );
  });

  it('draw the areas of d3-shape', () => {
    fc.assert(
      fc.property(numbers, (values) => {
        const d3 = area<number | null>()
          .defined((y) => y !== null)
          .x((_, index) => 7 * index)
          .y0(90)
          .y1((y) => y as number)
          .digits(2);
        const spans = values.map((high, index) => (high === null ? undefined : { x: 7 * index, low: 90, high }));
        expect(areaPath(spans)).toBe(d3(values) ?? '');
      }),
    );
  });
});
