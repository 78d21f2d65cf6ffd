// Figures with the queries and keys of a trained model: their weights are those of the model, and they solve its task.
import { describe, expect, it } from 'vitest';
import { type DataTable, passes } from '../../../web/figure/contract/kind.ts';
import { readSpec } from '../../../web/figure/contract/spec.ts';
import { kind as attention } from '../../../web/figure/kinds/attention/index.ts';
import { kind as change } from '../../../web/figure/kinds/change/index.ts';
import { kind as sentence } from '../../../web/figure/kinds/sentence/index.ts';
import { type Job, runPython } from '../python/run.ts';
import { phasor, context as untrained } from './sentence-means.ts';
import { models } from './shipped.ts';

const TRAINED = { projections: 'trained', mask: 'causal', heads: 4, text: 'to be or not to be' };
const context = { ...untrained, models } as never;

// biome-ignore lint/suspicious/noExplicitAny: the results of three kinds differ
async function figure(kind: any, fields: { readonly [field: string]: unknown }) {
  // biome-ignore lint/suspicious/noExplicitAny: as above
  const spec: any = readSpec(kind, { ...TRAINED, ...fields });
  // biome-ignore lint/suspicious/noExplicitAny: as above
  const results: any = await kind.compute(spec, context);
  return { spec, results };
}

describe('figures with trained projections', () => {
  it.each(['rope', 't5', 'learned'])('attends with %s to the word after the previous occurrence', async (encoding) => {
    for (const head of [1, 2, 3, 4]) {
      const { results } = await figure(sentence, { encoding, head });
      const last: Float32Array = results.weights.data.subarray(30, 36);
      expect(last.indexOf(Math.max(...last)), `head ${head}`).toBe(2);
      expect(last[2]).toBeGreaterThan(0.5);
    }
  });

  it('changes its attention and outputs when a word moves', async () => {
    // In "to or be not to be" the word after the first "be" is "not".
    const { results } = await figure(sentence, { encoding: 'rope', order: '0,2,1,3,4,5' });
    const last: Float32Array = results.weights.data.subarray(30, 36);
    expect(last.indexOf(Math.max(...last))).toBe(3);
    expect(passes(sentence.proof(results, {} as never))).toBe(false);
    const { results: outputs, spec } = await figure(change, { encoding: 'rope', order: '0,2,1,3,4,5' });
    expect(Math.max(...outputs.differences.data)).toBeCloseTo(results.trial.maxAbsDiff, 6);
    expect(passes(change.proof(outputs, spec))).toBe(false);
  });

  it.each(['none', 'rope', 'alibi', 't5', 'learned', 'sinusoidal'])(
    'reproduces with %s the weights of the trained model',
    async (encoding) => {
      const { results, spec } = await figure(attention, { encoding });
      expect(attention.proof(results, spec)).toMatchObject({ conclusion: expect.stringContaining('reproduces the model’s weights') });
      expect(results.trained.residual).toBeLessThan(1e-5);
      expect(results.trained.residual).not.toBe(Number.NaN);
    },
  );

  it('depends only on which words are equal, ignoring case', async () => {
    const [ropeFigure, otherFigure] = await Promise.all([
      figure(attention, { encoding: 'rope' }),
      figure(attention, { encoding: 'rope', text: 'Sun moon tree river sun Moon' }),
    ]);
    expect(otherFigure.results.weights).toEqual(ropeFigure.results.weights);
  });

  it('uses the trained weights with other encoding parameters, which change the result', async () => {
    const [ropeFigure, otherFigure] = await Promise.all([
      figure(attention, { encoding: 'rope' }),
      figure(attention, { encoding: 'rope base=50' }),
    ]);
    expect(otherFigure.results.weights).not.toEqual(ropeFigure.results.weights);
    expect(attention.proof(otherFigure.results, otherFigure.spec)).toMatchObject({
      conclusion: expect.stringContaining('reproduces the model’s weights'),
    });
    await expect(figure(attention, { encoding: 'learned max_length=64' })).rejects.toThrow(/encoding\.table/);
  });

  it.each([
    [{ encoding: 'xpos' }, /^projections: no trained model uses the encoding xpos; expected one of none, /],
    [{ mask: 'none' }, /^mask: the trained model is causal; expected causal$/],
    [{ heads: 8 }, /^heads: 8 does not match the trained model; expected 4$/],
    [{ dim: 63 }, /^dim: 63 is not divisible by the trained model's number of heads; expected a multiple of 4$/],
    [{ positionOffset: 3 }, /^positionOffset: 3 does not match the trained model; expected 0$/],
    [
      { text: Array.from({ length: 27 }, (_, index) => `w${index}x`).join(' ') },
      /^projections: the trained model reads at most 64 words, at most 26 of them distinct; /,
    ],
    [{ text: 'a '.repeat(65) }, /this text has 65 words, 1 of them distinct$/],
  ])('rejects %j and names the field', async (fields, sentenceOf) => {
    await expect(figure(attention, { encoding: 'rope', ...fields })).rejects.toThrow(sentenceOf);
  });

  it('rejects a sink, buttons, and a page without models', async () => {
    await expect(figure(attention, { encoding: 'rope', sink: '1' })).rejects.toThrow(
      'sink: unsupported with the trained model, which has no sink; expected off',
    );
    await expect(figure(sentence, { encoding: 'rope', buttons: 'true' })).rejects.toThrow(/^buttons: /);
    const spec = readSpec(attention, { ...TRAINED, encoding: 'rope' });
    await expect(attention.compute(spec, untrained)).rejects.toThrow('projections: this page has no trained models');
  });

  it('exports Python programs that compute the same values', async () => {
    const cases = [
      ...['rope', 't5', 'learned', 'alibi'].map((encoding) => [attention, { encoding, head: 2 }, ['weights', 'scores']] as const),
      [sentence, { encoding: 'alibi', head: 3, order: '1,0,2,3,4,5' }, ['weights']] as const,
      [change, { encoding: 'rope', order: '1,0,2,3,4,5' }, ['differences', 'before', 'after']] as const,
    ];
    const programs: { tables: readonly DataTable[]; want: readonly string[]; job: Job }[] = [];
    for (const [kind, fields, outputs] of cases) {
      const { spec, results } = await figure(kind, fields);
      const { python, data } = (await kind.loadPrograms()).code(spec as never, phasor.encodings, results as never);
      programs.push({
        tables: kind.tables(results as never, spec as never),
        want: outputs,
        job: { program: python, files: data, want: [...outputs] },
      });
    }
    runPython(programs.map(({ job }) => job)).forEach(({ arrays, error }, i) => {
      expect(error).toBeUndefined();
      const { tables, want } = programs[i] as (typeof programs)[number];
      for (const name of want) {
        const expected = tables.find((table) => table.name === name)?.tensor.data as Float32Array;
        const actual = arrays[name]?.data as ArrayLike<number>;
        expect(actual.length).toBe(expected.length);
        const largest = expected.reduce((size, value) => (Number.isFinite(value) ? Math.max(size, Math.abs(value)) : size), 1);
        expected.forEach((value, index) => {
          if (Number.isFinite(value)) expect(Math.abs(value - (actual[index] as number)), `${name}[${index}]`).toBeLessThan(2e-5 * largest);
        });
      }
    });
  });
});
