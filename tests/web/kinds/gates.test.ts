import { describe, expect, it } from 'vitest';
import type { Cursor } from '../../../web/charts/scene.ts';
import { kind, type Spec } from '../../../web/figure/kinds/gates/index.ts';
import { runPython } from '../python/run.ts';
import { FRAME, figureOf, phasor } from './sentence-means.ts';
import { expectAnswering, expectProgram, figureOf as tableFigure } from './table-figures.ts';

const TEXT = 'the cat slept . a dog';

describe('gates figure', () => {
  it('multiplies the weights of earlier words by the gates, with rows that sum to 1', async () => {
    const { results } = await figureOf(kind, { gates: '1,0.5,1,0.1,0.8,1' });
    for (let query = 0; query < 6; query++) {
      const gatedScores = Array.from({ length: 6 }, (_, key) =>
        key > query ? 0 : [1, 0.5, 1, 0.1, 0.8, 1].slice(key + 1, query + 1).reduce((product, gate) => product * gate, 1),
      );
      const sum = gatedScores.reduce((total, score) => total + score, 0);
      gatedScores.forEach((score, key) => {
        expect(results.weights.data[6 * query + key]).toBeCloseTo(score / sum, 6);
      });
    }
  });

  it('hides the words before a gate of 0, as in the text without them', async () => {
    const { spec, results } = await figureOf(kind, { text: TEXT, gates: '1,1,1,0,0.5,1', scores: 'words' });
    const ownTextFigure = await figureOf(kind, { text: '. a dog', gates: '1,0.5,1', scores: 'words' });
    for (let query = 3; query < 6; query++)
      for (let key = 0; key < 6; key++) {
        const weight = results.weights.data[6 * query + key] as number;
        if (key < 3) expect(weight).toBe(0);
        else expect(weight).toBeCloseTo(ownTextFigure.results.weights.data[3 * (query - 3) + key - 3] as number, 6);
      }
    const proof = kind.proof(results, spec);
    expect(proof.residual).toBeLessThanOrEqual(proof.tolerance);
    expect(proof.conclusion).toMatch(/^For the last word with a gate of 0/);
  });

  it.each([
    ['1,1,1,0.1,1,1', /^The logarithms of the gates, from the word after the key/],
    ['0.3,0.8,0.8,0.8,0.8,0.8', /^With all gates equal to f, this is ALiBi/],
    ['1,1,1,1,1,1', /^Gates of 1 have no effect/],
    ['', /^Gates of 1 have no effect/],
    ['1,0,1,0,1,1', /^For the last word with a gate of 0/],
    // The gate of the first word has no effect.
    ['0,1,1,0.5,1,1', /^The logarithms of the gates/],
  ])('proves the effect of the gates %s', async (gates, meaning) => {
    for (const scores of ['equal', 'words']) {
      const { spec, results } = await figureOf(kind, { gates, scores });
      const proof = kind.proof(results, spec);
      expect(proof.residual, proof.quantity).toBeLessThanOrEqual(proof.tolerance);
      expect(proof.conclusion).toMatch(meaning);
      const failed = kind.proof({ ...results, comparison: { ...results.comparison, residual: 1 } }, spec);
      expect(failed.conclusion).not.toBe(proof.conclusion);
    }
  });

  it('equals ALiBi for equal gates, and shows its slope', async () => {
    const { spec, results } = await figureOf(kind, { gates: Array(6).fill(0.8), scores: 'words', head: 2 });
    const x = { shape: [1, 6, 16], strides: [64, 64, 1], offset: 16, data: results.embeddings.data };
    const slopes = { shape: [1], data: Float32Array.of(-Math.log(0.8)) };
    const alibiOutput = phasor.attention({ q: x, k: x, v: x, mask: 'causal', encoding: { id: 'alibi', slopes }, outputs: ['weights'] });
    results.weights.data.forEach((weight, index) => {
      expect(weight).toBeCloseTo(alibiOutput.weights.data[index] as number, 6);
    });
    expect(kind.readout(results, spec, {})).toBe('All gates 0.800: ALiBi, slope 0.223');
    expect(kind.scene(results, spec, FRAME).picture.marks).toContainEqual(
      expect.objectContaining({ text: 'all gates 0.800: ALiBi, slope 0.223' }),
    );
    expect(results.gateEffects.data[6 * 5 + 2]).toBeCloseTo(3 * Math.log(0.8), 5);
  });

  it('moves the gates with their words', async () => {
    const { spec, results } = await figureOf(kind, { text: 'one two three', gates: '0.2,0.4,0.6', order: '2,0,1' });
    expect(results.words).toEqual(['three', 'one', 'two']);
    expect(results.gates).toEqual([0.6, 0.2, 0.4]);
    expect(kind.dragging?.fields(results, spec, { gate: 1 }, 0.75)).toEqual({ gates: [0.75, 0.4, 0.6] });
    // Words without a gate have a gate of 1.
    expect((await figureOf(kind, { text: 'one two three', gates: '1,0.5' })).results.gates).toEqual([1, 0.5, 1]);
  });

  it.each([
    [{ gate: 3 }, /^Gate of “\.”: 0\.100\. For “\.” and every later word, earlier words have 0\.100 times/],
    [{ gate: 1 }, 'Gate of “cat”: 1, no decay'],
    [{ gate: 0 }, 'No word comes before “the”, so its gate has no effect'],
    [{ query: 5, key: 1 }, '“dog” attends to “cat”: weight 0.0303; the gates in between multiply it by 0.100'],
    [{ query: 5, key: 4 }, '“dog” attends to “a”: weight 0.303'],
    [{ query: 1, key: 4 }, '“cat” cannot attend to “a”, which comes later'],
    [{ query: 0 }, '“the” attends most to “the”: weight 1.00'],
    [{}, 'Weights between 0 and 1.00; gates between 0.100 and 1.00'],
    [{ gate: 17 }, /^Weights between/],
  ])('describes the cursor %j', async (cursor, message) => {
    const { spec, results } = await figureOf(kind);
    expect(kind.readout(results, spec, cursor as Cursor)).toMatch(message);
    const closed = await figureOf(kind, { gates: '1,1,1,0' });
    expect(kind.readout(closed.results, closed.spec, { gate: 3 })).toBe(
      'Gate of “.”: 0, neither “.” nor any later word attends to earlier words',
    );
  });

  it.each([
    [{ gates: '1,2' }, 'gates: 2 is out of range; expected 0 to 1'],
    [{ gates: [-0.1] }, 'gates: -0.1 is out of range; expected 0 to 1'],
    [{ gates: '1,x' }, 'gates: “x” is not a number'],
    [{ gates: 'NaN' }, 'gates: “NaN” is not a number'],
    [{ gates: 0.5 }, /^gates: 0\.5 is not a list of numbers/],
    [{ text: '  ' }, 'text: has no words'],
    [{ heads: 5 }, /^heads: 5 does not divide embedDim; expected a divisor of 64/],
    [{ encoding: 'alibi' }, /^encoding: a gates figure has no such field/],
    [{ scores: 'none' }, /^scores: “none” is not equal or words/],
  ])('rejects invalid fields with one sentence: case %#', async (fields, sentence) => {
    await expect(figureOf(kind, fields)).rejects.toThrow(sentence);
  });

  it.each([
    ['one word', { text: 'lion', gates: '0' }],
    ['emoji', { text: 'lion 🦁 👩‍👩‍👧 lion', gates: '1,0,0.5', scores: 'words' }],
    ['one channel', { dim: 1, heads: 1, scores: 'words' }],
    ['300 words', { text: 'a word '.repeat(150), gates: Array.from({ length: 300 }, (_, index) => (index % 50 ? 1 : 0)) }],
  ])('draws %s', async (_, input) => {
    const { spec, results } = await figureOf(kind, input);
    expect(results.weights.data.every((weight) => weight >= 0 && weight <= 1.000001)).toBe(true);
    for (const width of [1440, 330]) expectAnswering(kind.scene(results, spec, { width, theme: 'light' }), width);
    expect(kind.scene(results, spec, { width: 700, maxHeight: 300, theme: 'light' }).picture.height).toBeLessThanOrEqual(300);
  });

  it('exports a Python program that supports closed gates', async () => {
    const { spec, results } = await figureOf(kind, { gates: '0,0.3,1,0,0.5,1', scores: 'words', head: 3 });
    const { python, data } = (await kind.loadPrograms()).code(spec, phasor.encodings, results);
    const [created] = runPython([{ program: python, files: data, want: ['weights', 'decay', 'gates'] }]);
    expect(created?.error).toBeUndefined();
    for (const { name, tensor } of kind.tables(results, spec).slice(0, 3)) {
      expect(created?.arrays[name]?.shape).toEqual(tensor.shape);
      tensor.data.forEach((value, index) => {
        expect(Math.abs(value - (created?.arrays[name]?.data[index] as number)), name).toBeLessThan(
          1e-6 * Math.max(1, Math.abs(value)) + 1e-6,
        );
      });
    }
  });

  it('exports a program that computes the same values', async () => {
    for (const fields of [{}, { gates: '1,0,0.5' }, { gates: '1,0.25,0', head: 3, order: '1,0,5,4,3,2' }])
      for (const scores of ['equal', 'words'] satisfies readonly Spec['scores'][])
        await expectProgram(await tableFigure(kind, { ...fields, scores }));
  });
});
