import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { arcOpacity, arcRise, arcWidth, createArc, createLoop, drawArcs } from '../../web/figure/words/arcs.ts';

const points = (d: string): number[] => (d.match(/-?[\d.]+/g) ?? []).map(Number);
const spec = { queryIndex: 1, width: 400, height: 140, title: 'Attention of killed', words: ['Rohan', 'killed', 'the', 'lion'] };
const positions = [50, 150, 250, 350].map((x) => ({ x, y: 100, height: 36 }));

describe('attention arc', () => {
  it('begins and ends at the centres of its words', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 900 }),
        fc.integer({ min: 0, max: 900 }),
        fc.constantFrom(100, 180),
        fc.constantFrom(100, 180),
        (x0, x1, y0, y1) => {
          const arcPoints = points(createArc({ x: x0, y: y0, height: 36 }, { x: x1, y: y1, height: 36 }, 40).d);
          expect(arcPoints).toHaveLength(8);
          expect([arcPoints[0], arcPoints[6]]).toEqual([x0, x1]);
          expect(arcPoints[1]).toBe(y1 > y0 ? y0 + 36 : y0);
          expect(arcPoints[7]).toBe(y1 < y0 ? y1 + 36 : y1);
        },
      ),
    );
  });

  it('peaks at the given rise', () => {
    const { d, peak } = createArc({ x: 0, y: 100 }, { x: 100, y: 100 }, 60);
    const arcPoints = points(d);
    // The midpoint of a cubic Bézier curve.
    expect(((arcPoints[1] ?? 0) + 3 * (arcPoints[3] ?? 0) + 3 * (arcPoints[5] ?? 0) + (arcPoints[7] ?? 0)) / 8).toBeCloseTo(40);
    expect(peak).toEqual({ x: 50, y: 40 });
  });

  it('rises higher with distance and stays inside the picture', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 2000 }), fc.integer({ min: 1, max: 2000 }), fc.integer({ min: 5, max: 300 }), (a, b, room) => {
        fc.pre(a !== b);
        const [near, far] = [Math.min(a, b), Math.max(a, b)];
        expect(arcRise(far, far, room)).toBeLessThanOrEqual(room + 1e-9);
        expect(arcRise(near, far, room)).toBeLessThan(arcRise(far, far, room));
        expect(arcRise(near, far, room)).toBeGreaterThan(0);
      }),
    );
    expect(points(createLoop({ x: 50, y: 100 }, 60).d).slice(0, 2)).toEqual([50, 100]);
  });

  it('is wider and darker for a larger weight', () => {
    // In thousandths, so that rounding cannot make two widths equal.
    const weight = fc.integer({ min: 0, max: 1000 }).map((thousandths) => thousandths / 1000);
    fc.assert(
      fc.property(weight, weight, (a, b) => {
        fc.pre(a < b);
        expect(arcWidth(a)).toBeLessThan(arcWidth(b));
        expect(arcOpacity(a)).toBeLessThan(arcOpacity(b));
      }),
    );
    expect([arcWidth(-1), arcWidth(0), arcWidth(1), arcWidth(2)]).toEqual([0, 0, 12, 12]);
    expect([arcOpacity(-1), arcOpacity(0)]).toEqual([0.25, 0.25]);
    expect(arcOpacity(2)).toBeCloseTo(0.85);
  });

  it('is omitted for a zero or masked weight, and drawn on top for the largest', () => {
    const picture = drawArcs({ ...spec, wordPlaces: positions, weights: [0.8, 0, 0.2, Number.NEGATIVE_INFINITY] });
    expect(picture.marks.map(({ key }) => key)).toEqual(['arc-2', 'arc-0']);
    expect(picture.description).toBe('Weights of killed between 0 and 0.800. Largest on Rohan. 1 masked.');
  });

  it('is labelled at the cursor, on top of all others and inside the picture', () => {
    const picture = drawArcs({ ...spec, wordPlaces: positions, weights: [0.1, 0, 0.9, 0.2], width: 100, cursor: 0 });
    expect(picture.marks.map(({ key }) => key)).toEqual(['arc-0', 'arc-3', 'arc-2', 'arc-patch', 'arc-weight']);
    expect(picture.marks[0]).toMatchObject({ tone: 'cursor', opacity: 1 });
    const number = drawArcs({ ...spec, wordPlaces: positions, weights: [0, 0, 0, 0.2], width: 100, cursor: 3 }).marks.at(-1);
    expect(number).toMatchObject({ kind: 'text', text: '0.200' });
    expect(number?.kind === 'text' && number.x).toBeLessThan(90);
  });

  it('keeps its key if words move', () => {
    const keys = ['d', 'c', 'b', 'a'];
    const picture = drawArcs({ ...spec, wordPlaces: positions, keys, weights: [0.1, 0.2, 0.3, 0.4] });
    expect(picture.marks.map(({ key }) => key)).toEqual(['arc-d', 'arc-c', 'arc-b', 'arc-a']);
  });

  it('is omitted for an index out of range', () => {
    expect(drawArcs({ ...spec, wordPlaces: [], weights: [], queryIndex: 0 }).description).toBe('No word is selected.');
  });
});
