// One head of a language model as a figure: weights, distances, pairs, and errors.

import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { openModel } from '../../../web/engine/model.node.ts';
import { createPhasor } from '../../../web/engine/node.ts';
import type { KindContext, LanguageModel } from '../../../web/figure/contract/context.ts';
import { readSpec } from '../../../web/figure/contract/spec.ts';
import { code } from '../../../web/figure/kinds/model-attention/code.ts';
import { computeProfile, maxAbsDifference } from '../../../web/figure/kinds/model-attention/compute.ts';
import { kind } from '../../../web/figure/kinds/model-attention/index.ts';
import { computePairScores } from '../../../web/figure/kinds/model-attention/pairs.ts';
import { toAsyncEngine } from '../../../web/figure/runtime/promised-engine.ts';
import { GOLDEN } from '../checkpoint-files.ts';
import { runPython } from '../python/run.ts';
import { languageModel } from './language-model.ts';

const engine = toAsyncEngine(await createPhasor({ variant: 'simd' }));
const figure = async (fields: object = {}, contextFields: Partial<KindContext> = {}) => {
  const spec = readSpec(kind, fields as never);
  return { spec, results: await kind.compute(spec, { engine, languageModel, ...contextFields } as KindContext) };
};

/** Opens a golden checkpoint, whose texts are token ids. */
async function golden(name: string): Promise<LanguageModel> {
  const model = await openModel(`${GOLDEN}/${name}`, { variant: 'simd' });
  const config = readFileSync(`${GOLDEN}/${name}/config.json`, 'utf8');
  return { key: 7, name, isShipped: false, model, config, dispose: () => model.dispose() };
}

describe('model-attention figure', () => {
  it('shows a previous-token head, which is weaker without positions', async () => {
    const { spec, results } = await figure();
    const { profile, profileWithoutPositions, pairs, layer, head, token, ids } = results;
    expect([layer, head, token]).toEqual([3, 0, ids.length - 1]);
    expect(profile.indexOf(Math.max(...profile))).toBe(1);
    expect(profile[1]).toBeGreaterThan(0.4);
    expect(profileWithoutPositions?.[1]).toBeLessThan((profile[1] as number) - 0.1);
    expect(pairs?.wavelengths[0]).toBeCloseTo(2 * Math.PI, 5);
    expect(pairs?.wavelengths).toHaveLength(8);
    // Mainly pairs that rotate at least once within the text distinguish neighbours.
    const total = (list: Float32Array): number => list.reduce((sum, value) => sum + value, 0);
    expect(total(pairs?.lift.slice(0, 4) as Float32Array)).toBeGreaterThan(4 * Math.abs(total(pairs?.lift.slice(4) as Float32Array)));
    expect(pairs?.unrotatedLift).toBe(0);
    expect(results.residual).toBeLessThan(1e-5);
    expect(kind.readout(results, spec, {})).toMatch(
      /^Layer 4, head 1 puts most of its weight 1 token back: \d+% on average\. Without positions \d+%\. Pair \d \(one rotation in/,
    );
    expect(kind.readout(results, spec, { distance: 2 })).toMatch(/^Weight 2 tokens back: \d+% on average, \d+% without positions$/);
    expect(kind.readout(results, spec, { pair: 0 })).toMatch(/^Pair 1, one rotation in 6\.28 tokens: adds/);
    expect(kind.readout(results, spec, { query: 2, key: 1 })).toMatch(/^“.*” attends to “.*” with a weight of [\d.]+$/);
    expect(kind.choose?.(results, spec, { query: 3, key: 1 })).toEqual({ token: 4 });
    expect(kind.choose?.(results, spec, { query: token, key: 1 })).toEqual({ token: 2 });
    expect(kind.choose?.(results, spec, { distance: 2 })).toBeUndefined();
  });

  it('steps through the heads of all layers', async () => {
    const { results, spec } = await figure({ layer: 4, head: 8 });
    const [previous, next] = kind.actions?.(results, spec) ?? [];
    expect([previous?.fields({}), next?.fields({})]).toEqual([
      { layer: 4, head: 7 },
      { layer: 1, head: 1 },
    ]);
  });

  it.each([1, 2, 3, 4])('sums the pairs to the scores of the heads of layer %i', async (layer) => {
    for (const head of [1, 4, 8]) expect((await figure({ layer, head })).results.residual).toBeLessThan(1e-5);
  });

  it('exports a program that computes the same values', async () => {
    const { spec, results } = await figure({ text: 'She smiled at him' });
    const { python, data } = code(spec, [], results);
    const tables = kind.tables(results, spec);
    expect(tables.map(({ name }) => name)).toEqual(['attention', 'profile', 'pairs']);
    const [result] = runPython([{ program: python, files: data, want: tables.map(({ name }) => name) }]);
    expect(result?.error).toBeUndefined();
    for (const { name, tensor } of tables) expect(maxAbsDifference(result?.arrays[name]?.data ?? [], tensor.data), name).toBeLessThan(1e-5);
  });

  it.each([300, 40])('keeps the selected token of a long text in view at %i px', async (width) => {
    const { spec, results } = await figure({ text: 'It was a fine day. '.repeat(40), token: 100 });
    const { picture } = kind.scene(results, spec, {
      width: Math.max(300, width),
      theme: 'light',
      maxHeight: width === 40 ? 200 : undefined,
    });
    expect(picture.marks.filter((mark) => mark.kind === 'text' && mark.bold && mark.serif)).toHaveLength(1);
    expect(JSON.stringify(picture.marks)).not.toMatch(/NaN|undefined/);
  });
});

describe('model-attention figure of other models', () => {
  it.each(['llama-gqa', 'bert-base', 'gpt2-a'])('reproduces the weights of %s, and omits the parts it lacks', async (name) => {
    const goldenModel = await golden(name);
    const { spec, results } = await figure({ text: '5 6 7 5 6 8 9', layer: 2, head: 2 }, { languageModel: async () => goldenModel });
    goldenModel.dispose();
    expect(results.residual).toBeLessThan(1e-5);
    const hasRotations = name.startsWith('llama');
    expect([results.pairs !== undefined, results.profileWithoutPositions !== undefined]).toEqual([hasRotations, hasRotations]);
    expect(results.profile).toHaveLength(name.startsWith('bert') ? 13 : 7);
    expect(kind.readout(results, spec, {})).not.toMatch(/NaN|undefined/);
    expect(JSON.stringify(kind.scene(results, spec, { width: 900, theme: 'dark' }).picture)).not.toMatch(/NaN|undefined/);
    expect(kind.tables(results, spec)).toHaveLength(hasRotations ? 3 : 2);
  });
});

it('computeProfile averages the weights by distance', () => {
  const weights = { shape: [3, 3], data: new Float32Array([1, 0, 0, 0.25, 0.75, 0, 0.5, 0.25, 0.25]) };
  expect([...computeProfile(weights, true)]).toEqual([0.5, 0.25, 0.5]);
  expect([...computeProfile(weights, false)]).toEqual([0, 0, (1 + 0.75 + 0.25) / 3, 0.25, 0.5].map((value) => Math.fround(value)));
});

it('computePairScores reports weights that do not follow from the scores', () => {
  const states = {
    rotatedQueries: { shape: [1, 2, 2], data: new Float32Array([1, 0, 1, 0]) },
    rotatedKeys: { shape: [1, 2, 2], data: new Float32Array([1, 0, 0, 1]) },
  };
  const rotations = { channels: [[0, 1]] as const, wavelengths: [6.28] };
  const e = Math.exp(1);
  const correctWeights = { shape: [2, 2], data: new Float32Array([1, 0, e / (1 + e), 1 / (1 + e)]) };
  const options = { states, head: 0, rotations, scale: 1, causal: true, window: undefined };
  const actual = computePairScores({ ...options, weights: correctWeights });
  expect(actual.residual).toBeLessThan(1e-6);
  // The weight on the first token, whose score is higher by 1, rises from 1/2 to e / (1 + e); averaged over two tokens.
  expect(actual.lift[0]).toBeCloseTo((e / (1 + e) - 0.5) / 2, 6);
  expect(computePairScores({ ...options, weights: { shape: [2, 2], data: new Float32Array([1, 0, 0.5, 0.5]) } }).residual).toBeGreaterThan(
    0.2,
  );
  // With a window of 1, a token attends only to itself.
  expect(computePairScores({ ...options, window: 1, weights: { shape: [2, 2], data: new Float32Array([1, 0, 0, 1]) } }).residual).toBe(0);
});

it.each([
  [{ layer: 5 }, 'layer: 5 is too large; expected 0 to 4, the number of layers'],
  [{ head: 9 }, 'head: 9 is too large; expected 0 to 8, the number of heads per layer'],
  [{ token: 40 }, 'token: 40 is too large; expected 0 to 18, the number of tokens'],
  [{ text: 'I' }, 'text: has 1 token for this model; expected at least 2'],
  [{ text: '' }, 'text: has 0 tokens for this model; expected at least 2'],
])('rejects %j with the name of the field', async (fields, sentence) => {
  await expect(figure(fields)).rejects.toThrow(sentence);
});

it('is rejected on pages without a language model', async () => {
  await expect(figure({}, { languageModel: undefined })).rejects.toThrow('this page has no language model');
});
