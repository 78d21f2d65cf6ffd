// Gates that scale the step of each word (Selective RoPE).
import { describe, expect, it } from 'vitest';
import { kind } from '../../../web/figure/kinds/gates/index.ts';
import { runPython } from '../python/run.ts';
import { figureOf, phasor } from './sentence-means.ts';
import { expectAnswering, expectProgram, figureOf as tableFigure } from './table-figures.ts';

const selectiveFigure = (fields: object = {}) => figureOf(kind, { method: 'rope_selective', ...fields } as never);

/** Attention weights of RoPE by its formula. The first word is at position 0, and each other one `gate` after the previous one. */
function weightsByFormula(x: readonly (readonly number[])[], gates: readonly number[]): number[] {
  const half = (x[0]?.length as number) / 2;
  const positions = gates.map((_, position) => gates.slice(1, position + 1).reduce((sum, gate) => sum + gate, 0));
  const rotated = x.map((vector, index) =>
    Array.from({ length: 2 * half }, (_, channel) => {
      const angle = (positions[index] as number) * 500_000 ** (-(channel % half) / half);
      const [a, b] = [vector[channel % half] as number, vector[(channel % half) + half] as number];
      return channel < half ? a * Math.cos(angle) - b * Math.sin(angle) : b * Math.cos(angle) + a * Math.sin(angle);
    }),
  );
  return rotated.flatMap((query, row) => {
    const scores = rotated
      .slice(0, row + 1)
      .map((key) => key.reduce((sum, component, index) => sum + component * (query[index] as number), 0) / Math.sqrt(2 * half));
    const exponentials = scores.map(Math.exp);
    const sum = exponentials.reduce((total, exponential) => total + exponential, 0);
    return x.map((_, key) => (exponentials[key] ?? 0) / sum);
  });
}

describe('gates figure with Selective RoPE', () => {
  it('computes the weights of RoPE at positions that are sums of gates', async () => {
    for (const [gates, scores] of [
      [[1, 1, 1, 0.1, 1, 1], 'equal'],
      [[0.3, 0.5, 1, 0, 0.8, 0.25], 'words'],
    ] as const) {
      const { results } = await selectiveFigure({ gates: gates.join(','), scores });
      const rows = Array.from({ length: 6 }, (_, word) =>
        scores === 'equal' ? Array(16).fill(1) : Array.from(results.embeddings.data.subarray(64 * word, 64 * word + 16)),
      );
      weightsByFormula(rows, gates).forEach((weight, index) => {
        expect(results.weights.data[index]).toBeCloseTo(weight, 5);
      });
      for (let query = 0; query < 6; query++)
        for (let key = 0; key < 6; key++) {
          const sum = gates.slice(key + 1, query + 1).reduce<number>((total, gate) => total + gate, 0);
          expect(results.gateEffects.data[6 * query + key]).toBeCloseTo(key < query ? sum : 0, 5);
        }
    }
  });

  it.each([
    ['1,1,1,0.1,1,1', /^These are the scores of RoPE at positions that grow by the gate/],
    ['0.3,1,1,1,1,1', /^With all gates at 1, this is RoPE/],
    ['1,0.5,0.5,0.5,0.5,0.5', /position interpolation/],
    ['1,0,0,0,0,0', /^With all gates at 0, nothing is rotated/],
    ['1,1,0,0,0.5,1', /without the words whose gate is 0/],
    ['0,1,1,0.5,1,1', /^These are the scores of RoPE/],
  ])('proves the effect of the gates %s', async (gates, meaning) => {
    for (const scores of ['equal', 'words']) {
      const { spec, results } = await selectiveFigure({ gates, scores });
      const proof = kind.proof(results, spec);
      expect(proof.residual, proof.quantity).toBeLessThanOrEqual(proof.tolerance);
      expect(proof.conclusion).toMatch(meaning);
      const failed = kind.proof({ ...results, comparison: { ...results.comparison, residual: 1 } }, spec);
      expect(failed.conclusion).not.toBe(proof.conclusion);
    }
  });

  it('scores words around gates of 0 as in the sentence without the inserted words', async () => {
    const { results } = await selectiveFigure({ text: 'the lion , I think , slept', gates: '1,1,0,0,0,0,1' });
    const shortFigure = await selectiveFigure({ text: 'the lion slept', gates: '' });
    expect(results.gateEffects.data[7 * 6 + 1]).toBeCloseTo(1, 5);
    const ratio = (weights: Float32Array, side: number) =>
      (weights[side * side - side + 1] as number) / (weights[side * side - 1] as number);
    expect(ratio(results.weights.data as Float32Array, 7)).toBeCloseTo(ratio(shortFigure.results.weights.data as Float32Array, 3), 5);
  });

  it.each([
    [{ gate: 3 }, 'Gate of “.”: 0.100 of a step'],
    [{ gate: 1 }, 'Gate of “cat”: 1, a full step as in RoPE'],
    [{ gate: 0 }, 'No word comes before “the”, so its gate has no effect'],
    [{ query: 5, key: 1 }, /^“dog” attends to “cat”: weight [\d.]+; the gates in between sum to 3\.10 steps$/],
    [{ query: 5, key: 5 }, /^“dog” attends to “dog”: weight [\d.]+$/],
  ])('describes the cursor %j', async (cursor, message) => {
    const { spec, results } = await selectiveFigure();
    if (typeof message === 'string') expect(kind.readout(results, spec, cursor)).toBe(message);
    else expect(kind.readout(results, spec, cursor)).toMatch(message);
  });

  it('describes equal gates, and has actions that set them', async () => {
    for (const [gate, expected] of [
      [1, 'All gates 1: RoPE'],
      [0.5, 'All gates 0.5: RoPE with distances × 0.5'],
      [0, 'All gates 0: no word has a position'],
    ] as const) {
      const { spec, results } = await selectiveFigure({ gates: Array(6).fill(gate) });
      expect(kind.readout(results, spec, {})).toBe(expected);
    }
    const { spec, results } = await selectiveFigure();
    expect((kind.actions?.(results, spec) ?? []).map(({ label, fields }) => [label, fields({})])).toEqual([
      ['Set all gates to 1: RoPE', { gates: Array(6).fill(1) }],
      ['Set all gates to 0.5', { gates: Array(6).fill(0.5) }],
    ]);
  });

  it.each([
    [{ dim: 1, heads: 1 }, /^dim: 1 is odd, but rope_selective rotates pairs of channels/],
    [{ method: 'rope' }, /^method: “rope” is not forgetting or rope_selective/],
    [{ gates: '1,2' }, 'gates: 2 is out of range; expected 0 to 1'],
  ])('rejects invalid fields with one sentence: case %#', async (input, sentence) => {
    await expect(selectiveFigure(input)).rejects.toThrow(sentence);
  });

  it.each([
    ['one word', { text: 'lion', gates: '0' }],
    ['300 words', { text: 'a word '.repeat(150), gates: Array.from({ length: 300 }, (_, index) => (index % 50 ? 1 : 0)) }],
  ])('draws %s', async (_, fields) => {
    const { spec, results } = await selectiveFigure(fields);
    for (const width of [1440, 330]) expectAnswering(kind.scene(results, spec, { width, theme: 'light' }), width);
    const proof = kind.proof(results, spec);
    expect(proof.residual).toBeLessThanOrEqual(proof.tolerance);
  });

  it('exports Python and phasor programs that compute the same values', async () => {
    for (const fields of [{}, { gates: '0,0.3,1,0,0.5,1', scores: 'words', head: 3 }]) {
      const { spec, results } = await selectiveFigure(fields);
      const { python, data } = (await kind.loadPrograms()).code(spec, phasor.encodings, results);
      const [created] = runPython([{ program: python, files: data, want: ['weights', 'distance', 'gates'] }]);
      expect(created?.error).toBeUndefined();
      for (const { name, tensor } of kind.tables(results, spec).filter((table) => table.name !== 'embeddings')) {
        expect(created?.arrays[name]?.shape).toEqual(tensor.shape);
        tensor.data.forEach((value, index) => {
          expect(Math.abs(value - (created?.arrays[name]?.data[index] as number)), name).toBeLessThan(1e-5);
        });
      }
      await expectProgram(await tableFigure(kind, { method: 'rope_selective', ...fields }));
    }
  });
});
