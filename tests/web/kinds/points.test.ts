import { describe, expect, it } from 'vitest';
import { kind } from '../../../web/figure/kinds/points/index.ts';
import { expectAnswering, figureOf, phasor, runProgram } from './table-figures.ts';

describe('points figure', () => {
  it('maps the points to the same outputs in any order', async () => {
    const { results, proof } = await figureOf(kind);
    expect([...results.order].sort((a: number, b: number) => a - b)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8]);
    for (const [position, point] of results.order.entries())
      for (const axis of [0, 1]) expect(results.after.data[2 * position + axis]).toBeCloseTo(results.before.data[2 * point + axis], 5);
    expect(proof().good).toBe(true);
    expect(proof().residual).toBeLessThan(1e-6);
  });

  it('computes the softmax attention of typed points', async () => {
    const { results } = await figureOf(kind, { points: '1,0 (0,2); −1,0.5' });
    const points = [
      [1, 0],
      [0, 2],
      [-1, 0.5],
    ] as const;
    const exponents = points.map(([x, y]) => Math.exp((0 * x + 2 * y) / Math.SQRT2));
    const total = exponents.reduce((sum, value) => sum + value, 0);
    const mean = [0, 1].map((axis) => exponents.reduce((sum, value, index) => sum + value * (points[index]?.[axis] as number), 0) / total);
    expect(results.before.data[2]).toBeCloseTo(mean[0] as number, 6);
    expect(results.before.data[3]).toBeCloseTo(mean[1] as number, 6);
  });

  it('reports that the order matters with positions or a causal mask', async () => {
    for (const fields of [
      { encoding: 'sinusoidal' },
      { encoding: 'rope' },
      { encoding: 'alibi' },
      { encoding: 't5' },
      { mask: 'causal' },
    ]) {
      const proof = (await figureOf(kind, fields)).proof();
      expect([fields, proof.good]).toEqual([fields, false]);
      expect(proof.residual).toBeGreaterThan(1e-3);
    }
    for (const input of [
      { projections: 'orthogonal' },
      { count: 1 },
      { count: 2 },
      { count: 48, seed: 7 },
      { points: '3,3' },
      { points: '0,0 0,0' },
    ])
      expect([input, (await figureOf(kind, input)).proof().good]).toEqual([input, true]);
    expect((await figureOf(kind, { count: 1 })).proof().conclusion).toBe('One point has only one order.');
  });

  it('finds the point under the pointer and moves with the arrow keys', async () => {
    for (const fields of [{}, { count: 1 }, { points: '0,0 0,0' }, { encoding: 'rope', count: 30 }]) {
      const figure = await figureOf(kind, fields);
      for (const width of [720, 330]) expectAnswering(figure.scene(width), width);
    }
    const figure = await figureOf(kind, { points: '1,0 0,1' });
    expect(figure.readout({ query: 0 })).toMatch(
      /^The point at \(1\.00, 0\) is mapped to \(0\.\d+, 0\.\d+\) at position 1 and to .* at position 2/,
    );
    expect(figure.readout({ query: 2 })).toBe(figure.readout());
  });

  it('exports a program that computes the same values', async () => {
    const { results, spec } = await figureOf(kind, { encoding: 'rope', count: 5 });
    const variables = await runProgram((await kind.loadPrograms()).code(spec as never, phasor.encodings, results).phasor, [
      'before',
      'after',
      'differences',
      'order',
    ]);
    for (const name of ['before', 'after', 'differences'])
      expect(Array.from((variables[name] as { data: Float32Array }).data)).toEqual(Array.from(results[name].data));
    expect(variables.order).toEqual(results.order);
  });

  it('rejects invalid points with one sentence', async () => {
    await expect(figureOf(kind, { points: '1,2 3' })).rejects.toThrow('points: “3” is not a point; expected coordinates such as 0.5,−1');
    await expect(figureOf(kind, { points: '🙂' })).rejects.toThrow('points: “🙂” is not a point');
    await expect(figureOf(kind, { points: '1,NaN' })).rejects.toThrow('points: “1,NaN” is not a point');
    await expect(figureOf(kind, { points: '1,1e9' })).rejects.toThrow(
      'points: “1,1e9” has a coordinate out of range; expected −1000 to 1000',
    );
    await expect(figureOf(kind, { points: '1,2 '.repeat(300) })).rejects.toThrow('points: has 300 points; expected at most 48');
    await expect(figureOf(kind, { encoding: 'rope_2d' })).rejects.toThrow(/dim/);
  });
});
