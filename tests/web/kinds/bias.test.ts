import { describe, expect, it } from 'vitest';
import { kind } from '../../../web/figure/kinds/bias/index.ts';
import { expectAnswering, expectProgram, figureOf } from './table-figures.ts';

describe('bias figure', () => {
  it.each(['shaw', 't5', 'alibi', 'kerple', 'fire', 'relative_bias', 'deberta'])(
    'shows the steps from a distance to the bias with %s',
    async (encoding) => {
      const figure = await figureOf(kind, { encoding, head: 2 });
      const { bias, steps, query } = figure.results;
      // Every query has steps, because any row can be selected.
      for (const row of [query, 2])
        for (const [key, step] of steps[row].entries()) {
          expect(step.values.data[0]).toBe(key - row);
          expect(step.values.data.at(-1)).toBeCloseTo(bias.data[row * 16 + key], 4);
        }
      expect(JSON.stringify(figure.scene().overlay({ query: 2 }))).toContain('Steps for query 2');
      expect(figure.proof().good).toBe(true);
      expect(figure.readout({ query, key: 3 })).toMatch(/^Query 8, key 3: bias .*; distance −5 → .* → bias /);
      expect(figure.readout({ query: 2, key: 3 })).toMatch(/^Query 2, key 3: bias .*; distance 1 → .* → bias /);
      expectAnswering(figure.scene(), 700);
      expectAnswering(figure.scene(330), 330);
    },
  );

  it.each([
    ['sandwich', true],
    ['cope', false],
  ])('shows only the matrix with %s', async (encoding, good) => {
    const figure = await figureOf(kind, { encoding });
    expect(figure.results.steps.every((row: unknown[]) => row.length === 0)).toBe(true);
    expect(figure.proof().good, `${figure.proof().residual}`).toBe(good);
    expectAnswering(figure.scene(), 700);
  });

  it('has steps only for keys near the selected one of many', async () => {
    const figure = await figureOf(kind, { encoding: 'alibi', length: 200, query: 120, key: 100 });
    expect(figure.results.steps[120][100].values.data[0]).toBe(-20);
    expect(figure.results.steps[120][0]).toBeUndefined();
    expect(figure.readout({ query: 120, key: 0 })).toMatch(/^Query 120, key 0: bias −\d+\.\d+$/);
  });

  it('exports a program that computes the same values', async () => {
    for (const encoding of ['t5', 'shaw']) await expectProgram(await figureOf(kind, { encoding }));
  });

  it('rejects a length out of range with one sentence', async () => {
    await expect(figureOf(kind, { length: 0 })).rejects.toThrow(/^length: 0 is outside 1 to 256$/);
  });
});
