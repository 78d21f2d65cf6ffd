import { describe, expect, it } from 'vitest';
import { kind } from '../../../web/figure/kinds/chain/index.ts';
import { expectAnswering, expectProgram, figureOf, phasor } from './table-figures.ts';

describe('chain figure', () => {
  it.each(['none', 'rope', 'alibi', 't5', 'shaw', 'sinusoidal', 'cope'])(
    'shows the steps from products to weights with %s',
    async (encoding) => {
      const figure = await figureOf(kind, { encoding, mask: 'causal', query: 2 });
      const { product, scaled, bias, score, exponential, weight, scale, rowMax, rowSum } = figure.results.chains[2];
      for (let key = 0; key < 3; key++) {
        expect(scaled.data[key]).toBeCloseTo(scale * product.data[key], 5);
        expect(score.data[key]).toBeCloseTo(scaled.data[key] + bias.data[key], 5);
        expect(exponential.data[key]).toBeCloseTo(Math.exp(score.data[key] - rowMax), 5);
        expect(weight.data[key]).toBeCloseTo(exponential.data[key] / rowSum, 5);
      }
      expect([score.data[3], weight.data[3]]).toEqual([-Infinity, 0]);
      expect(figure.proof().good).toBe(true);
      expectAnswering(figure.scene(), 700);
      expectAnswering(figure.scene(330), 330);
    },
  );

  it('reports steps that do not reproduce the attention weights', async () => {
    const { results, spec } = await figureOf(kind);
    const chains = [{ ...results.chains[0], maxAbsDiff: 0.01 }];
    const proof = kind.proof({ ...results, chains }, spec as never);
    expect(proof.residual).toBeGreaterThan(proof.tolerance);
    expect(proof.conclusion).toMatch(/^These steps do not reproduce the weights/);
  });

  it('moves along keys and queries with the arrow keys', async () => {
    const figure = await figureOf(kind, { mask: 'causal', query: 1 });
    const scene = figure.scene();
    expect(scene.step({}, 1, 0)).toEqual({ key: 0 });
    expect(scene.step({ key: 0 }, 1, 1)).toEqual({ key: 1, query: 2 });
    expect(figure.readout({ key: 3 })).toMatch(/^“killed” to “lion”: q · k .*, then masked, so the weight is 0$/);
    expect(figure.readout({ key: 0, query: 3 })).toMatch(/^“lion” to “Rohan”: q · k .*, weight 0\.\d+$/);
    expect(scene.overlay({ query: 3 }).some((mark) => mark.kind === 'text' && mark.text === 'query: “lion”')).toBe(true);
  });

  it('exports a program that computes the same values', async () => {
    for (const encoding of ['alibi', 'rope', 'sinusoidal', 'shaw']) {
      const figure = await figureOf(kind, { encoding, mask: 'causal', head: 2, positionOffset: 4 });
      const { code } = await kind.loadPrograms();
      await expectProgram({ ...figure, code: async () => code(figure.spec as never, phasor.encodings, figure.results) });
    }
  });

  it.each([
    [{ text: ' ' }, 'text: has no words'],
    [{ heads: 5 }, /^heads: 5 does not divide/],
    [{ query: 'NaN' }, /^query: /],
  ])('rejects invalid fields with one sentence: case %#', async (fields, sentence) => {
    await expect(figureOf(kind, fields)).rejects.toThrow(sentence);
  });

  it.each([{ text: '🦁' }, { text: 'a word '.repeat(150), query: 7 }, { dim: 1, heads: 1 }])('draws the edge case %#', async (input) => {
    const figure = await figureOf(kind, input);
    expectAnswering(figure.scene(330), 330);
  });
});
