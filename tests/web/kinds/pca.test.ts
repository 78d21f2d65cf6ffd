import { describe, expect, it } from 'vitest';
import { kind } from '../../../web/figure/kinds/pca/index.ts';
import { expectAnswering, expectProgram, figureOf } from './table-figures.ts';

describe('pca figure', () => {
  it('shows a circle for one sine–cosine pair', async () => {
    const { results } = await figureOf(kind, { encoding: 'sin_cos', length: 44 });
    const [first, second] = results.explainedVarianceRatio.data;
    expect(first + second).toBeCloseTo(1, 6);
    for (let p = 0; p < 44; p++) expect(Math.hypot(results.coordinates.data[2 * p], results.coordinates.data[2 * p + 1])).toBeCloseTo(1, 2);
    expect(Math.abs(first - second)).toBeLessThan(0.01);
  });

  it('shows a line for the index', async () => {
    const { results, readout } = await figureOf(kind, { encoding: 'index', length: 8, dim: 4 });
    expect(Array.from(results.explainedVarianceRatio.data)).toEqual([1, 0]);
    // With four equal channels, each step has length 2.
    expect(results.coordinates.data[14] - results.coordinates.data[0]).toBeCloseTo(14, 5);
    expect(readout({ query: 0 })).toMatch(/^Position 0: −7\.00 along the first component, /);
    expect(readout()).toBe('The first axis explains 100% of the variance, the second 0%; no variance remains');
  });

  it('reports omitted variance only if there is any', async () => {
    const wideFigure = await figureOf(kind, { length: 20, dim: 16 });
    expect(wideFigure.readout()).toMatch(/; the rest is not shown$/);
    expect(wideFigure.proof().conclusion).toContain('The plane omits some');
    const circle = await figureOf(kind, { encoding: 'sin_cos', length: 45 });
    expect(circle.readout()).toMatch(/; no variance remains$/);
  });

  it('finds the position under the pointer, and moves along the path with the arrow keys', async () => {
    const figure = await figureOf(kind, { length: 20, positionOffset: 50 });
    for (const width of [700, 330]) expectAnswering(figure.scene(width), width);
    expect(figure.scene().step({ query: 3 }, 1, 0)).toEqual({ query: 4 });
    expect(
      figure
        .scene()
        .overlay({ query: 4 })
        .some((mark) => mark.kind === 'text' && mark.text === '54'),
    ).toBe(true);
  });

  it('preserves distances over all components', async () => {
    for (const encoding of ['sinusoidal', 'learned', 'binary', 'index'])
      expect((await figureOf(kind, { encoding })).proof().good).toBe(true);
  });

  it('exports a program that computes the same values', async () => {
    await expectProgram(await figureOf(kind, { length: 9, dim: 2 }));
    const { coordinates } = (await figureOf(kind, { length: 9, dim: 6 })).results;
    expect(coordinates.shape).toEqual([9, 2]);
    await expectProgram(await figureOf(kind, { length: 9, dim: 6 }));
  });

  it('rejects invalid fields with one sentence, and draws the smallest size', async () => {
    await expect(figureOf(kind, { dim: 1 })).rejects.toThrow(/^dim: 1 is outside 2 to 1,024$/);
    await expect(figureOf(kind, { encoding: 'nerf levels=1 include_input=false', length: 'x' })).rejects.toThrow(
      /^length: “x” is not a number$/,
    );
    expectAnswering((await figureOf(kind, { encoding: 'sinusoidal', length: 2, dim: 3 })).scene(), 700);
  });
});
