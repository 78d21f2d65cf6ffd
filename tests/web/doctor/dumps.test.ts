// Dumps that the doctor reads: views, batches, caches of cosines and sines, far positions, grids, sinks.
import { describe, expect, it } from 'vitest';
import type { DiagnoseRequest, RotationDump } from '../../../web/engine/doctor/requests.ts';
import { diagnose } from '../../../web/engine/doctor.node.ts';
import { axes, BASE, claim, createDump, dim, heads, sampleNormal, shape, tensors, tokens } from './small-dump.ts';

describe('tensors', () => {
  it('accepts strided views and lists of numbers', async () => {
    const { before, after } = createDump();
    const view = (data: ArrayLike<number>) => ({ shape: [heads, tokens, dim], strides: [dim, heads * dim, 1], data });
    const report = await diagnose({ before: view(before), after: view(Array.from(after)), axes: 'heads,tokens,dim', claim });
    expect(report.verdict).toBe('as_claimed');
  });

  it('accepts one item of a batch, and a flat array with its number of heads', async () => {
    const [first, second] = [createDump(), createDump(0, 500)];
    const stackBatch = (name: 'before' | 'after') => ({ shape: [2, ...shape], data: Float32Array.from([...first[name], ...second[name]]) });
    const batch = { before: stackBatch('before'), after: stackBatch('after'), axes, claim } as const;
    await expect(diagnose(batch)).rejects.toThrow('item: is missing for before of shape 2 x 24 x 2 x 32; expected a number from 0 to 1');
    await expect(diagnose({ ...batch, item: 2 })).rejects.toThrow('item: 2 is outside 0 to 1');
    expect((await diagnose({ ...batch, item: 0 })).verdict).toBe('as_claimed');
    expect((await diagnose({ ...batch, item: 1 })).params).toMatchObject({ found: 500 });
    const flat = await diagnose({ ...tensors(first, [tokens, heads * dim]), heads, claim });
    expect(flat.verdict).toBe('as_claimed');
  });

  it('requires axes only if the config does not determine them', async () => {
    const dump = tensors(createDump());
    await expect(diagnose({ ...dump, claim })).rejects.toThrow('axes: is missing');
    const config = {
      ...{ model_type: 'llama', num_hidden_layers: 2, hidden_size: 64, num_attention_heads: 2, num_key_value_heads: 2 },
      ...{ head_dim: 32, rope_theta: BASE },
    };
    expect((await diagnose({ ...dump, config, layerIdx: 1 })).verdict).toBe('as_claimed');
    await expect(diagnose({ ...dump, config: { ...config, head_dim: 64 }, axes })).rejects.toThrow(
      'config: specifies 64 channels per head, but the dump has 32',
    );
  });

  it('rejects values that do not fill the shape, and objects that are not tensors', async () => {
    const { before, after } = createDump();
    const tooShort = { shape, data: after.subarray(1) };
    await expect(diagnose({ before: { shape, data: before }, after: tooShort, axes, claim })).rejects.toThrow(
      'after: the shape 24 x 2 x 32 requires 1536 values, but 1535 are provided',
    );
    await expect(diagnose({ before: [1, 2], after: tooShort, axes } as never)).rejects.toThrow('before: is not a tensor');
  });
});

it('finds an offset of 100,000 tokens', async () => {
  const { before, after } = createDump(100_000);
  const report = await diagnose({ ...tensors({ before, after }), axes, claim });
  expect({ verdict: report.verdict, params: report.params }).toEqual({ verdict: 'position_offset', params: { offset: 100_000 } });
});

it('reads a cosine and sine cache of vLLM, also for a part of the head', async () => {
  const pairs = 8;
  const row = (of: (angle: number) => number, token: number) => Array.from({ length: pairs }, (_, t) => of(token * 500 ** (-t / pairs)));
  const data = Array.from({ length: 16 }, (_, token) => [...row(Math.cos, token), ...row(Math.sin, token)]).flat();
  const cosSinCache = { shape: [16, 2 * pairs], data: Float32Array.from(data) };
  const half = { ...claim, rotary_dim: 16 };
  expect(await diagnose({ cosSinCache, dim: 32, claim: half })).toMatchObject({
    verdict: 'wrong_base',
    params: { found: 500, claimed: BASE },
  });
  expect((await diagnose({ cosSinCache, dim: 32, claim: { ...half, base: 500 } })).verdict).toBe('as_claimed');
  // A table of half the head that repeats its angles is not read as a table of single angles.
  const duplicatePairs = (compute: (angle: number) => number) => ({
    shape: [16, 2 * pairs],
    data: Array.from({ length: 16 }, (_, token) => [...row(compute, token), ...row(compute, token)]).flat(),
  });
  expect(
    (await diagnose({ cos: duplicatePairs(Math.cos), sin: duplicatePairs(Math.sin), dim: 32, claim: { ...half, base: 500 } })).verdict,
  ).toBe('as_claimed');
});

describe('grids', () => {
  const positions = Array.from({ length: 16 }, (_, index) => [Math.floor(index / 4), index % 4]);
  const { createPhasor } = { createPhasor: async () => (await import('../../../web/engine/node.ts')).createPhasor() };
  const grid = async (encoding: object, at: readonly (readonly number[])[] = positions): Promise<RotationDump> => {
    const x = { shape: [2, 16, 32], data: new Float32Array(2 * 16 * 32).map(sampleNormal) };
    const phasor = await createPhasor();
    const after = phasor.applyRotary(x, { encoding, positions: { shape: [16, 2], data: at.flat() } } as never);
    return { before: x, after, axes: 'heads,tokens,dim', positions };
  };

  it('identifies another convention, another base and a shift of both axes', async () => {
    const qwen = { id: 'rope_2d', convention: 'qwen2_vl' };
    expect((await diagnose({ ...(await grid(qwen)), claim: qwen })).verdict).toBe('as_claimed');
    const pixtral = await diagnose({ ...(await grid({ ...qwen, convention: 'pixtral' })), claim: qwen });
    expect(pixtral).toMatchObject({ verdict: 'wrong_grid_convention', params: { found: 'pixtral', claimed: 'qwen2_vl' } });
    const base = await diagnose({ ...(await grid({ ...qwen, base: 100 })), claim: qwen });
    expect(base).toMatchObject({ verdict: 'wrong_base', params: { found: 100 } });
    const report = await diagnose({
      ...(await grid(
        qwen,
        positions.map((row) => row.map((position) => position + 1)),
      )),
      claim: qwen,
    });
    expect(report).toMatchObject({ verdict: 'position_offset', params: { offset: 1 } });
  });
});

describe('weights', () => {
  const [queries, keys] = [6, 6];
  const q = { shape: [2, queries, 8], data: new Float32Array(2 * queries * 8).map(sampleNormal) };
  const k = { shape: [1, keys, 8], data: new Float32Array(keys * 8).map(sampleNormal) };
  const softmax = (logits: readonly number[]) => {
    const data: number[] = [];
    for (let head = 0; head < 2; head++)
      for (let query = 0; query < queries; query++) {
        const scores = Array.from({ length: keys }, (_, key) => {
          if (key > query) return Number.NEGATIVE_INFINITY;
          let sum = 0;
          for (let at = 0; at < 8; at++) sum += (q.data[(head * queries + query) * 8 + at] as number) * (k.data[key * 8 + at] as number);
          return sum / Math.sqrt(8);
        });
        const total = scores.reduce((sum, score) => sum + Math.exp(score), Math.exp(logits[head] as number));
        data.push(...scores.map((score) => Math.exp(score) / total));
      }
    return { shape: [2, queries, keys], data: Float32Array.from(data) };
  };
  const none = [Number.NEGATIVE_INFINITY, Number.NEGATIVE_INFINITY];
  const dump = (weights: object, options: object = {}) =>
    diagnose({ q, k, weights, claim: { causal: true }, ...options } as DiagnoseRequest);

  it('accepts queries and keys of grouped heads, and identifies the sinks', async () => {
    const sinks = { shape: [2], data: [0.5, -1] };
    expect((await dump(softmax(none))).verdict).toBe('as_claimed');
    expect((await dump(softmax([0.5, -1]), { sinks })).verdict).toBe('as_claimed');
    expect((await dump(softmax(none), { sinks })).verdict).toBe('sinks_missing');
    for (const [provided, verdict] of [
      [{}, 'sinks_unclaimed'],
      [{ sinks: { shape: [2], data: [0, 3] } }, 'wrong_sinks'],
    ] as const) {
      const report = await dump(softmax([0.5, -1]), provided);
      expect(report.verdict).toBe(verdict);
      const [first, second] = report.params.found as readonly number[];
      expect(first).toBeCloseTo(0.5, 3);
      expect(second).toBeCloseTo(-1, 3);
    }
    expect((await dump(softmax(none), { sinks: { shape: [3], data: [0, 0, 0] } })).reason).toBe('shapes_differ');
  });

  it('reads the claim about scores from a config', async () => {
    const config = {
      model_type: 'llama',
      num_hidden_layers: 1,
      hidden_size: 16,
      num_attention_heads: 2,
      num_key_value_heads: 1,
      head_dim: 8,
    };
    expect((await dump(softmax(none), { claim: undefined, config })).verdict).toBe('as_claimed');
    await expect(dump(softmax(none), { config })).rejects.toThrow('claim: cannot be combined with config');
    await expect(dump(softmax(none), { claim: undefined, config, layerIdx: 3 })).rejects.toThrow('layerIdx: 3 is outside 0 to 0');
  });
});
