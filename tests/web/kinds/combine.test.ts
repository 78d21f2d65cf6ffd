import { describe, expect, it } from 'vitest';
import { kind } from '../../../web/figure/kinds/combine/index.ts';
import { expectAnswering, expectProgram, figureOf, phasor } from './table-figures.ts';

describe('combine figure', () => {
  it('shows that a probe reads positions better from concatenated vectors', async () => {
    const { results, readout } = await figureOf(kind);
    const [added, concatenated] = results.results;
    expect([added.width, concatenated.width]).toEqual([16, 32]);
    expect(concatenated.probe.rSquared).toBeGreaterThan(0.999);
    expect(added.probe.rSquared).toBeGreaterThan(results.wordRSquared);
    expect(added.probe.rSquared).toBeLessThan(0.6);
    expect(readout()).toMatch(
      /^R² of the probe: −0\.161 for words alone, 0\.351 when positions are added \(mean error 24\.3 positions\), 1\.00 when concatenated/,
    );
    expect(readout({ query: 7 })).toMatch(
      /^Position 7: the probe predicts .* when positions are added, 7\.0\d when they are concatenated$/,
    );
  });

  it('computes the largest cross term, which is 0 for concatenated vectors', async () => {
    const { results } = await figureOf(kind, { length: 5, dim: 4, seed: 3 });
    const x = await phasor.randomNormal({ seed: 3, shape: [5, 4] });
    const table = await phasor.positionTable({ encoding: 'sinusoidal', length: 5, dim: 4 });
    const dot = (a: Float32Array, i: number, b: Float32Array, j: number) =>
      [0, 1, 2, 3].reduce((sum, c) => sum + (a[4 * i + c] as number) * (b[4 * j + c] as number), 0);
    const cross = [0, 1, 2, 3, 4].flatMap((i) =>
      [0, 1, 2, 3, 4].map((j) => Math.abs(dot(x.data, i, table.data, j) + dot(table.data, i, x.data, j))),
    );
    expect(results.results[0].maxCrossTerm).toBeCloseTo(Math.max(...cross), 5);
    expect(results.results[1].maxCrossTerm).toBeLessThan(1e-6);
  });

  it('finds the cell under the pointer and moves with the arrow keys, side by side and stacked', async () => {
    const figure = await figureOf(kind, { length: 12, dim: 8 });
    for (const width of [700, 330]) expectAnswering(figure.scene(width), width);
    expect(figure.scene().step({}, 1, 0)).toEqual({ query: 0, key: 0 });
    expect(figure.readout({ query: 3, key: 3 })).toBe('Positions 3 and 3: similarity 1.00 when added, 1.00 when concatenated');
  });

  it('reports that concatenation separates words and positions, for several encodings', async () => {
    for (const encoding of ['sinusoidal', 'index', 'learned', 'sin_cos'])
      expect((await figureOf(kind, { encoding, length: 64 })).proof().good).toBe(true);
  });

  it('exports a program that computes the same values', async () => {
    await expectProgram(await figureOf(kind, { length: 8, dim: 6 }));
  });

  it('rejects invalid fields with one sentence, and draws the smallest size', async () => {
    await expect(figureOf(kind, { length: 3 })).rejects.toThrow(/^length: 3 is outside 4 to 512$/);
    await expect(figureOf(kind, { seed: 'x' })).rejects.toThrow(/^seed: “x” is not a number$/);
    expectAnswering((await figureOf(kind, { length: 4, dim: 1 })).scene(), 700);
  });
});
