import { describe, expect, it } from 'vitest';
import type { Mark } from '../../../web/charts/picture.ts';
import { kind } from '../../../web/figure/kinds/spiral/index.ts';
import { type Computed, expectAnswering, expectProgram, figureOf } from './table-figures.ts';

/** The points of a curve, from the rim to the centre. */
function curve(figure: Computed, position: number, width = 700): [number, number][] {
  const mark = figure.scene(width).picture.marks.find(({ key }) => key === `curve-${position}`);
  return [...(mark as Extract<Mark, { kind: 'path' }>).d.matchAll(/[ML]([^,]+),([^ML]+)/g)].map(([, x, y]) => [Number(x), Number(y)]);
}

describe('spiral figure', () => {
  it('places each point at the angle position times frequency, with the fastest pair at the rim', async () => {
    const figure = await figureOf(kind, { encoding: 'rope', dim: 16, length: 6 });
    const steps = 48;
    const points = curve(figure, 5);
    expect(points).toHaveLength(7 * steps + 2);
    const centre = points.at(-1) as [number, number];
    const radii = points.map(([x, y]) => Math.hypot(x - centre[0], y - centre[1]));
    expect([...radii].sort((a, b) => b - a)).toEqual(radii);
    for (let pair = 0; pair < 8; pair++) {
      const angle = 5 * 10000 ** (-pair / 8);
      expect(figure.results.angles.data[5 * 8 + pair]).toBeCloseTo(angle, 5);
      const [x, y] = points[pair * steps] as [number, number];
      const turned = Math.atan2(centre[0] - x, centre[1] - y);
      expect(Math.cos(turned - angle)).toBeGreaterThan(1 - (pair === 7 ? 1e-2 : 1e-4));
    }
  });

  it('draws one pair as straight hands with as many points, so that the change can be animated', async () => {
    const onePairFigure = await figureOf(kind, { encoding: 'rope', show: 'one_pair', pair: 3, dim: 16 });
    const allPairsFigure = await figureOf(kind, { dim: 16 });
    for (const position of [1, 7]) {
      const points = curve(onePairFigure, position);
      expect(points).toHaveLength(curve(allPairsFigure, position).length);
      const centre = points.at(-1) as [number, number];
      const [x, y] = points[0] as [number, number];
      for (const [a, b] of points) expect(Math.abs((a - centre[0]) * (y - centre[1]) - (b - centre[1]) * (x - centre[0]))).toBeLessThan(40);
      const angle = position * 10000 ** (-3 / 8);
      expect(Math.cos(Math.atan2(centre[0] - x, centre[1] - y) - angle)).toBeGreaterThan(1 - 1e-4);
    }
    expect(onePairFigure.scene().picture.duration).toBeGreaterThan(0);
  });

  it('finds a neighbour most similar over all pairs, and a position one rotation away in one pair', async () => {
    const allPairsFigure = await figureOf(kind);
    expect(allPairsFigure.readout()).toMatch(/^Over all 32 pairs, position 0 is most similar to position 1 \(cosine 0\.\d+\)$/);
    const onePairFigure = await figureOf(kind, { show: 'one_pair' });
    expect(onePairFigure.readout()).toBe('In pair 0 alone, position 0 is most similar to position 6 (cosine 0.960)');
    expect(onePairFigure.readout({ query: 11 })).toBe('In pair 0 alone, position 11 is most similar to position 5 (cosine 0.960)');
    for (const [figure, channels] of [
      [onePairFigure, 1],
      [allPairsFigure, 32],
    ] as const) {
      const mean = (distance: number): number => {
        let sum = 0;
        for (let pair = 0; pair < channels; pair++) sum += Math.cos(distance * 100 ** (-pair / 32));
        return sum / channels;
      };
      for (let key = 0; key < 12; key++) expect(figure.results.similarity.data[3 * 12 + key]).toBeCloseTo(mean(key - 3), 5);
    }
    expect((await figureOf(kind, { length: 1 })).readout()).toBe('Over all 32 pairs, positions 0 to 0');
  });

  it('proves that angles depend only on the distance, except across the start tokens of LongRoPE', async () => {
    for (const fields of [
      {},
      { encoding: 'rope base=500000 layout=half_split', dim: 128, positionOffset: 100_000 },
      { encoding: 'rope scaling=yarn factor=8 original_length=32' },
    ])
      expect((await figureOf(kind, fields)).proof().good, JSON.stringify(fields)).toBe(true);
    const start = await figureOf(kind, { encoding: 'rope scaling=longrope factor=4 start_tokens=4 original_length=4 sequence_length=32' });
    expect(start.proof().good).toBe(false);
    expect(start.proof().conclusion).toMatch(/^The first 4 tokens/);
  });

  it('responds to the pointer and arrow keys', async () => {
    for (const fields of [
      {},
      { show: 'one_pair' },
      { dim: 2 },
      { dim: 512, length: 32 },
      { length: 1 },
      { encoding: 'rope rotary_fraction=0.5' },
    ])
      for (const width of [700, 330, 40]) {
        const figure = await figureOf(kind, fields);
        if (width > 40) expectAnswering(figure.scene(width), width);
        else expect(figure.scene(width).picture.width).toBe(40);
      }
    const figure = await figureOf(kind);
    expect(figure.readout({ query: 5, pair: 0 })).toBe('Position 5 rotates pair 0 by 5.00 rad');
    expect(figure.readout({ pair: 0 })).toBe('Pair 0 rotates by 1.00 rad per position: a full rotation in 6.28 positions');
    const scene = figure.scene();
    expect(scene.step({ query: 3 }, 1, 0)).toEqual({ query: 4 });
    expect(scene.step({ query: 3 }, 0, 1)).toEqual({ query: 3, pair: 0 });
    expect(scene.step({ query: 11, pair: 31 }, 1, 1)).toEqual({ query: 11, pair: 31 });
  });

  it('has buttons for the pair of the cursor and for all pairs', async () => {
    const { results, spec } = await figureOf(kind);
    const [onePairFigure] = kind.actions?.(results, spec as never) ?? [];
    expect(onePairFigure?.label).toBe('Show one pair');
    expect(onePairFigure?.fields({ pair: 4 })).toEqual({ show: 'one_pair', pair: 4 });
    expect(onePairFigure?.fields({})).toEqual({ show: 'one_pair', pair: 0 });
    const lastPairFigure = await figureOf(kind, { show: 'one_pair', pair: 255 });
    expect(kind.resolvedFields?.(lastPairFigure.results, lastPairFigure.spec as never)).toEqual({ pair: 31 });
    const [allPairsFigure] = kind.actions?.(lastPairFigure.results, lastPairFigure.spec as never) ?? [];
    expect([allPairsFigure?.label, allPairsFigure?.fields({})]).toEqual(['Show all 32 pairs', { show: 'all_pairs' }]);
  });

  it.each([
    {},
    { show: 'one_pair', pair: 2, encoding: 'rope layout=half_split' },
    { encoding: 'rope rotary_fraction=0.5', positionOffset: 9 },
  ])('exports a program that computes the same values: %j', async (fields) => {
    await expectProgram(await figureOf(kind, { length: 5, dim: 8, ...fields }));
  });

  it('rejects invalid fields with one sentence', async () => {
    await expect(figureOf(kind, { encoding: 'alibi' })).rejects.toThrow(/^encoding: /);
    await expect(figureOf(kind, { length: 0 })).rejects.toThrow(/^length: 0 is outside 1 to 32$/);
    await expect(figureOf(kind, { pair: 256 })).rejects.toThrow(/^pair: /);
    await expect(figureOf(kind, { show: 'two_pairs' })).rejects.toThrow(/^show: /);
    await expect(figureOf(kind, { dim: 7 })).rejects.toThrow(/dim/);
  });
});
