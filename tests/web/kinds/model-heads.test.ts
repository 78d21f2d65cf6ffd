// The heads of the shipped language model as a figure: their measures on a text, and errors.
import { describe, expect, it } from 'vitest';
import { openModel } from '../../../web/engine/model.node.ts';
import { createPhasor } from '../../../web/engine/node.ts';
import type { KindContext, LanguageModel } from '../../../web/figure/contract/context.ts';
import { readSpec } from '../../../web/figure/contract/spec.ts';
import { kind } from '../../../web/figure/kinds/model-heads/index.ts';
import { computeMaxDifference, computeMeasures, getRecomputedMeasures } from '../../../web/figure/kinds/model-heads/recomputed.ts';
import { FigureCache } from '../../../web/figure/runtime/outcome.ts';
import { toAsyncEngine } from '../../../web/figure/runtime/promised-engine.ts';
import { languageModel } from './language-model.ts';

const engine = toAsyncEngine(await createPhasor({ variant: 'simd' }));
const context = (contextFields: Partial<KindContext> = {}) => ({ engine, languageModel, ...contextFields }) as KindContext;
const figure = async (fields: object = {}, contextFields: Partial<KindContext> = {}) => {
  const spec = readSpec(kind, fields as never);
  return { spec, results: await kind.compute(spec, context(contextFields)) };
};

describe('model-heads figure', () => {
  it('ranks the heads by attention to the previous token, and shows the strongest', async () => {
    const { spec, results } = await figure();
    const { measure, rankedHeads, chosenHead, strongestHeads, model } = results;
    expect(measure.shape).toEqual([4, 8]);
    const best = Math.max(...measure.data);
    expect(best).toBeGreaterThan(0.4);
    expect(measure.data[rankedHeads[0] as number]).toBe(best);
    expect(chosenHead.location.index).toBe(rankedHeads[0]);
    expect(strongestHeads.map(({ location }) => location.index)).toEqual(rankedHeads.slice(0, 6));
    expect(model).toMatchObject({ name: 'austen', layers: 4, heads: 8, causal: true });
    expect(results.positionsText).toContain('10,000');
    expect(kind.readout(results, spec, {})).toMatch(/^Layer \d, head \d puts \d+% of its weight on the previous token\. Next token: “/);
    expect(kind.readout(results, spec, { head: 9 })).toMatch(/^Layer 2, head 2 puts/);
    expect(kind.choose?.(results, spec, { head: 9 })).toEqual({ layer: 2, head: 2 });
    expect(kind.choose?.(results, spec, { head: 32 })).toBeUndefined();
    expect(kind.readout(results, spec, { query: 1, key: 0 })).toMatch(/^“.*” attends to “.*” with a weight of [\d.]+$/);
  });

  it('shows weights whose rows sum to 1 and give the same measures', async () => {
    const { spec, results } = await figure({ layer: 3, head: 5, headMeasure: 'entropy' });
    const { chosenHead, ids, residual } = results;
    expect(chosenHead.location).toEqual({ layer: 2, head: 4, index: 20 });
    const row = chosenHead.weights.data.slice(ids.length, 2 * ids.length);
    expect(row.reduce((sum, weight) => sum + weight)).toBeCloseTo(1, 5);
    expect(residual).toBeLessThan(1e-5);
    expect(kind.proof(results, spec).residual).toBe(residual);
    // The proof fails for the weights of another head.
    const otherHead = results.strongestHeads[0] as (typeof results.strongestHeads)[number];
    expect(computeMaxDifference(results.chosenMeasures, otherHead.weights, true)).toBeGreaterThan(0.01);
  });

  it.each(['bert-base', 'gpt2-a'])('has the measures that follow from the weights of every head of %s', async (name) => {
    using model = await openModel(`tests/golden-models/${name}`);
    const ids = [5, 9, 5, 7, 11, 9, 3];
    const { headMeasures } = await model.run(ids, { outputs: ['headMeasures'] });
    const { layers, heads, causal } = model.info;
    expect(causal).toBe(name !== 'bert-base');
    for (let index = 0; index < layers * heads; index++) {
      const { data } = await model.attention(ids, { layer: Math.floor(index / heads), head: index % heads });
      const weights = { shape: [ids.length, ids.length], data };
      expect(computeMaxDifference(getRecomputedMeasures(headMeasures, index), weights, causal), `head ${index}`).toBeLessThan(1e-5);
    }
  });

  it('runs the model once for all measures of a text', async () => {
    let runs = 0;
    const countingModel = async (): Promise<LanguageModel> => {
      const openedModel = await languageModel();
      const { model } = openedModel;
      const run: typeof model.run = (...request) => {
        runs += 1;
        return model.run(...request);
      };
      return { ...openedModel, model: { info: model.info, run, attention: model.attention.bind(model) } as typeof model };
    };
    const figureCache = new FigureCache();
    await figure({}, { languageModel: countingModel, cache: figureCache });
    await figure({ headMeasure: 'distance' }, { languageModel: countingModel, cache: figureCache });
    expect(runs).toBe(1);
    await figure({ text: 'It was late.' }, { languageModel: countingModel, cache: figureCache });
    expect(runs).toBe(2);
  });

  it.each(['first', 'duplicate', 'induction', 'distance', 'entropy', 'share_of_distance', 'use_of_position'])(
    'draws the measure %s',
    async (headMeasure) => {
      const { spec, results } = await figure({ headMeasure, sorted: true });
      expect(results.measure.data.every(Number.isFinite)).toBe(true);
      const { picture } = kind.scene(results, spec, { width: 960, theme: 'light' });
      expect(picture.rasters.filter(({ key }) => key?.includes('square'))).toHaveLength(32);
      expect(kind.readout(results, spec, {})).not.toMatch(/NaN|undefined/);
    },
  );
});

it('computeMeasures gives the values computed by hand', () => {
  const weights = { shape: [3, 3], data: new Float32Array([1, 0, 0, 1, 0, 0, 0, 1, 0]) };
  expect(computeMeasures(weights, true)).toEqual({ previous: 1, first: 0.5, distance: 1, entropy: 0 });
  const uniformWeights = { shape: [2, 2], data: new Float32Array([0.5, 0.5, 0.5, 0.5]) };
  const actual = computeMeasures(uniformWeights, false);
  expect(actual).toMatchObject({ previous: 0.5, first: 0.5, distance: 0.5 });
  expect(actual.entropy).toBeCloseTo(Math.LN2, 6);
});

it.each([
  [{ layer: 5 }, 'layer: 5 is too large; expected 0 to 4, the number of layers'],
  [{ head: 9 }, 'head: 9 is too large; expected 0 to 8, the number of heads per layer'],
  [{ text: 'I' }, 'text: has 1 token for this model; expected at least 2'],
  [{ text: '' }, 'text: has 0 tokens for this model; expected at least 2'],
  [{ text: 'It was. '.repeat(120) }, 'tokens for this model; expected at most 300'],
  [{ text: 'It was', headMeasure: 'induction' }, 'headMeasure: no token of the text occurs twice'],
])('rejects %j with the name of the field', async (fields, sentence) => {
  await expect(figure(fields)).rejects.toThrow(sentence);
});

it('is rejected on pages without a language model', async () => {
  await expect(figure({}, { languageModel: undefined })).rejects.toThrow('this page has no language model');
});
