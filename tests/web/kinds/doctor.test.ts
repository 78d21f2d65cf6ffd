// The doctor as a figure: example dumps, the user's files, and errors.
import { describe, expect, it } from 'vitest';
import { diagnoseWith } from '../../../web/engine/doctor/diagnose.ts';
import { FAULTS as SENTENCES } from '../../../web/engine/doctor/faults.ts';
import { createPhasor } from '../../../web/engine/node.ts';
import type { KindContext } from '../../../web/figure/contract/kind.ts';
import { readSpec } from '../../../web/figure/contract/spec.ts';
import { FAULTS } from '../../../web/figure/kinds/doctor/example.ts';
import { kind } from '../../../web/figure/kinds/doctor/index.ts';
import { toAsyncEngine } from '../../../web/figure/runtime/promised-engine.ts';

const phasor = await createPhasor({ variant: 'simd' });
const context = {
  engine: toAsyncEngine(phasor),
  diagnose: async (request) => diagnoseWith(phasor, request),
} as Partial<KindContext> as KindContext;

const figure = async (fields: object) => {
  const spec = readSpec(kind, fields as never);
  return { spec, results: await kind.compute(spec, context) };
};

describe('doctor figure, example dumps', () => {
  it('cover every fault', () => expect([...FAULTS].sort()).toEqual([...Object.keys(SENTENCES), 'none'].sort()));

  it.each(FAULTS.map((fault) => [fault]))('diagnose %s with a sentence, a picture and a proof', async (fault) => {
    const { spec, results } = await figure({ fault });
    const { verdict, sentence, map, ids } = results.report;
    expect(verdict).toBe(fault === 'none' ? 'as_claimed' : fault);
    // No value of the sentence is missing.
    expect(sentence).not.toContain('?');
    const { residual, tolerance } = kind.proof(results, spec);
    expect(residual).toBeLessThanOrEqual(tolerance);
    expect(kind.readout(results, spec, {})).toContain(sentence);
    expect(kind.tables(results, spec).map(({ name }) => name)).toContain(ids ? 'dumped' : 'found');
    expect(kind.scene(results, spec, { width: 640, theme: 'light' }).picture.title).not.toBe('');
    if (ids) return expect(ids.dumped).not.toEqual(ids.claimed);
    // The largest residual of the claim exceeds that of the explanation.
    const largestValue = (side: 'claimed' | 'found') => Math.max(...(map?.[side]?.values ?? [Number.NaN]));
    if (fault === 'none') expect(largestValue('claimed')).toBeLessThan(1e-5);
    else expect(largestValue('claimed')).toBeGreaterThan(20 * largestValue('found'));
    return undefined;
  });

  it('show the residuals of claim and explanation at a cell', async () => {
    const { spec, results } = await figure({ fault: 'wrong_base' });
    expect(kind.readout(results, spec, { token: 5, pair: 20 })).toMatch(/^Position 5, pair 20: claim \d.*%, found .*%$/);
  });
});

describe('doctor figure, files', () => {
  const tensor = { shape: [2, 24, 16], data: new Float32Array(2 * 24 * 16).map((_, index) => Math.sin(index * index)) };
  const turned = phasor.applyRotary(tensor, { encoding: { id: 'rope', layout: 'half_split' } });

  it('set fields by the names of their arrays, or by the file name', () => {
    const two = { name: 'dump.safetensors', tensors: { q: tensor, q_rot: turned, other: tensor } };
    expect(kind.accept?.(two)).toEqual({ input: tensor, output: turned, dump: 'rotation' });
    expect(kind.accept?.({ name: 'pair.safetensors', tensors: { reference: tensor, ours: turned } })).toMatchObject({ dump: 'comparison' });
    expect(kind.accept?.({ name: 'q.npy', tensors: { data: tensor } })).toEqual({ input: tensor });
    expect(kind.accept?.({ name: 'q_rot.npy', tensors: { data: turned } })).toEqual({ output: turned });
    expect(kind.accept?.({ name: 'scores.safetensors', tensors: { products: tensor, scores: turned } })).toMatchObject({ dump: 'scores' });
    expect(kind.accept?.({ name: 'rope.safetensors', tensors: { cos: tensor, sin: turned } })).toMatchObject({
      input: tensor,
      dump: 'cos_sin',
    });
    expect(kind.accept?.({ name: 'inv_freq.npy', tensors: { data: tensor } })).toEqual({ output: tensor, dump: 'inv_freq' });
    expect(kind.accept?.({ name: 'position_ids.npy', tensors: { data: tensor } })).toEqual({ output: tensor, dump: 'position_ids' });
    for (const [name, field, dump] of [
      ['products', 'input', 'scores'],
      ['weights', 'output', 'weights'],
      ['cos', 'input', 'cos_sin'],
      ['cos_sin_cache', 'output', 'cos_sin_cache'],
      ['position_ids', 'output', 'position_ids'],
    ] as const)
      expect(kind.accept?.({ name: `${name}.npy`, tensors: { data: tensor } }), name).toEqual({ [field]: tensor, dump });
    const products = kind.accept?.({ name: 'all.safetensors', tensors: { q: tensor, k: tensor, weights: turned } });
    expect(products).toMatchObject({ input: { shape: [2, 24, 24] }, output: turned, dump: 'weights' });
    expect(kind.accept?.({ name: 'config.json', json: { model_type: 'llama' } })).toEqual({ config: '{"model_type":"llama"}' });
    expect(() => kind.accept?.({ name: 'many.safetensors', tensors: { a: tensor, b: tensor } })).toThrow('the file has the arrays a, b');
    expect(() => kind.accept?.({ name: 'list.json', json: [1] })).toThrow('is not a JSON object');
  });

  it('are compared with a config, and require axes if they are ambiguous', async () => {
    const config = JSON.stringify({
      ...{ model_type: 'llama', hidden_size: 32, num_hidden_layers: 1, num_attention_heads: 2, num_key_value_heads: 2, head_dim: 16 },
      rope_theta: 20000,
    });
    const { spec, results } = await figure({ input: tensor, output: turned, config });
    expect(results.report).toMatchObject({ verdict: 'wrong_base', params: { found: 10000, claimed: 20000 } });
    expect(results.sample?.before).toEqual(tensor);
    expect((await kind.loadPrograms()).code(spec, phasor.encodings, results).phasor).toContain("from 'phasor/doctor'");
    await expect(figure({ input: tensor, output: turned })).rejects.toThrow('axes: is missing');
    await expect(figure({ input: tensor, output: turned, dump: 'scores' })).rejects.toThrow(
      'config: missing; expected the model’s config.json',
    );
    await expect(figure({ output: tensor, dump: 'position_ids' })).rejects.toThrow('the position ids have shape 2 x 24 x 16');
    await expect(figure({ input: tensor })).rejects.toThrow('the array “after” is missing; open its file too');
    await expect(figure({ input: tensor, output: { shape: [2, 12, 32], data: turned.data }, axes: 'heads,tokens,dim' })).rejects.toThrow(
      'the shapes of the two arrays differ',
    );
    expect(() => readSpec(kind, { input: { shape: [1, 1, 1, 1, 3], data: new Float32Array(3) } } as never)).toThrow('has shape 1 x 1');
  });
});
