// GGUF headers against a config, and dumps that are rejected or undecidable.
import { describe, expect, it } from 'vitest';
import type { DiagnoseRequest } from '../../../web/engine/doctor/requests.ts';
import { diagnose } from '../../../web/engine/doctor.node.ts';
import { axes, claim, createDump, dim, heads, shape, tensors, tokens } from './small-dump.ts';

describe('GGUF header', () => {
  const config = {
    ...{ model_type: 'gemma3_text', head_dim: 256, hidden_size: 640, num_hidden_layers: 6, num_attention_heads: 4, num_key_value_heads: 1 },
    ...{ rope_theta: 1e6, rope_local_base_freq: 10000, sliding_window: 512, _sliding_window_pattern: 6 },
  };
  const gguf = { 'general.architecture': 'gemma3', 'gemma3.rope.freq_base': 1e6 };

  it('is compared by its base for layers with a window, by default that of llama.cpp', async () => {
    for (const layerIdx of [undefined, 0, 5]) expect((await diagnose({ config, layerIdx, gguf })).verdict).toBe('as_claimed');
    const wrongGguf = { ...gguf, 'gemma3.rope.freq_base_swa': 5000 };
    const params = { key: 'rope.freq_base_swa', found: 5000, claimed: 10000 };
    expect(await diagnose({ config, gguf: wrongGguf })).toMatchObject({ verdict: 'wrong_base', params });
    expect((await diagnose({ config, layerIdx: 5, gguf: wrongGguf })).verdict).toBe('as_claimed');
    expect(await diagnose({ config: { ...config, rope_theta: 5e5 }, gguf })).toMatchObject({
      verdict: 'wrong_base',
      params: { key: 'rope.freq_base', found: 1e6, claimed: 5e5 },
    });
  });
});

it('identifies a GGUF of another model by its sizes', async () => {
  const config = { model_type: 'llama', hidden_size: 64, num_attention_heads: 2, num_hidden_layers: 4 };
  const report = await diagnose({ config, gguf: { 'general.architecture': 'qwen2', 'qwen2.block_count': 28 } });
  expect(report).toMatchObject({ verdict: 'cannot_tell', reason: 'other_model' });
  expect(report.sentence).toBe(
    'Cannot tell: the GGUF file has 28 for block_count, but the config has 4. The files belong to different models.',
  );
});

describe('undecidable or invalid dump', () => {
  const dump = (change: object) => diagnose({ ...tensors(createDump()), axes, claim, ...change } as DiagnoseRequest);

  it('is reported with a reason and without a fault', async () => {
    const { before, after } = createDump();
    const otherDump = createDump();
    const brokenData = after.slice();
    brokenData[5] = Number.NaN;
    const cases: [object, string, string][] = [
      [tensors({ before, after: after.subarray(0, 16 * heads * dim) }, shape), 'rejected', ''],
      [{ after: { shape: [16, heads, dim], data: after.subarray(0, 16 * heads * dim) } }, 'cannot_tell', 'shapes_differ'],
      [{ after: { shape, data: brokenData } }, 'not_explained', 'not_finite'],
      [tensors({ before: new Float32Array(before.length), after: new Float32Array(before.length) }), 'cannot_tell', 'input_is_zero'],
      [
        { positions: new Array(tokens).fill(0), after: { shape, data: before }, before: { shape, data: before } },
        'cannot_tell',
        'only_position_zero',
      ],
      [tensors({ before, after: otherDump.after }), 'not_explained', 'not_a_rotation'],
    ];
    for (const [change, verdict, reason] of cases) {
      if (verdict === 'rejected') await expect(dump(change)).rejects.toThrow('requires 1536 values, but 1024 are provided');
      else expect(await dump(change)).toMatchObject({ verdict, reason });
    }
  });

  it('is suspected to have swapped files or swapped axes', async () => {
    const { before, after } = createDump();
    const swappedReport = await dump(tensors({ before: after, after: before }));
    expect(swappedReport.verdict).toBe('reversed_direction');
    expect(swappedReport.fix).toContain('were swapped');
    const transposedReport = await dump({ ...tensors({ before, after }), axes: 'heads,tokens,dim' });
    expect(transposedReport.verdict).toBe('rotated_along_heads');
    expect(transposedReport.sentence).toContain('wrong order');
  });

  it('is rejected for positions of another length or with NaN', async () => {
    await expect(dump({ positions: [0, 1] })).rejects.toThrow('positions: has 2 entries for 24 tokens');
    await expect(dump({ positions: new Array(tokens).fill(Number.NaN) })).rejects.toThrow(
      'positions: contains a number that is not finite',
    );
    await expect(dump({ layerIdx: 2 })).rejects.toThrow('layerIdx: selects a layer of config');
    await expect(dump({ position: [] })).rejects.toThrow('position: this dump has no such field');
  });
});

describe('tables, scores and position ids', () => {
  const tensor = (sides: readonly number[], value: (at: number) => number) => ({
    shape: sides,
    data: Float32Array.from({ length: sides.reduce((product, side) => product * side) }, (_, index) => value(index)),
  });
  const products = tensor([2, 8, 8], Math.sin);
  const zero = tensor([2, 8, 8], () => 0);
  const scores = { dim: 8, claim: { causal: false } };
  const createSineTensor = (sides: readonly number[]) => tensor(sides, Math.sin);

  it.each([
    ['one axis of frequencies', { invFreq: createSineTensor([4, 4]), claim }, 'invFreq: has shape 4 x 4; expected [pairs]'],
    ['cosines alone', { cos: createSineTensor([8, 4]), claim }, 'sin: is missing; expected both cos and sin'],
    [
      'a cache of odd rows',
      { cosSinCache: createSineTensor([8, 15]), claim },
      'cosSinCache: has shape 8 x 15; expected [tokens, 2 * pairs]',
    ],
    ['products alone', { products, ...scores }, 'scores: is missing; expected scores or weights together with products'],
    ['products without channels', { products, scores: products, claim: {} }, 'dim: is missing; expected the number of channels'],
    ['axes of other lengths', { positionIds: [[0, 1], [0], [0, 1]] }, 'positionIds: have axes of 2, 1, 2 ids'],
  ])('%s are rejected by name', async (_, request, sentence) => {
    await expect(diagnose(request as unknown as DiagnoseRequest)).rejects.toThrow(sentence);
  });

  it.each([
    ['frequencies of 0', { invFreq: tensor([16], () => 0), claim }, 'cannot_tell', 'input_is_zero'],
    ['frequencies without a value', { invFreq: tensor([16], () => Number.NaN), claim }, 'not_explained', 'not_finite'],
    ['tables of position 0', { cos: tensor([1, 16], () => 1), sin: tensor([1, 16], () => 0), claim }, 'cannot_tell', 'only_position_zero'],
    ['tables of 0', { cos: tensor([8, 16], () => 0), sin: tensor([8, 16], () => 0), claim }, 'not_explained', 'frequencies_unknown'],
    ['tables of other shapes', { cos: createSineTensor([8, 4]), sin: createSineTensor([8, 8]), claim }, 'cannot_tell', 'shapes_differ'],
    ['products of 0', { products: zero, scores: products, ...scores }, 'cannot_tell', 'input_is_zero'],
    [
      'scores of another layer',
      { products, scores: tensor([2, 8, 8], (at) => Math.cos(at * at)), ...scores },
      'not_explained',
      'frequencies_unknown',
    ],
    ['weights of another layer', { products, weights: tensor([2, 8, 8], () => 1 / 8), ...scores }, 'not_explained', 'frequencies_unknown'],
    ['scores without a value', { products, scores: tensor([2, 8, 8], () => Number.NaN), ...scores }, 'not_explained', 'not_finite'],
    ['scores of other shapes', { products, scores: createSineTensor([2, 8, 4]), ...scores }, 'cannot_tell', 'shapes_differ'],
    ['hidden scores alone', { products, scores: tensor([2, 8, 8], () => -1e30), ...scores }, 'cannot_tell', 'text_too_short'],
    ['scores without a claim', { products, scores: products, dim: 8 }, 'cannot_tell', 'needs_config'],
    ['ids of one token', { positionIds: [3] }, 'cannot_tell', 'one_token'],
    ['ids of hidden tokens', { positionIds: [5, 6], mask: [0, 0] }, 'cannot_tell', 'no_tokens'],
    ['ids of another mask', { positionIds: [0, 1], mask: [1] }, 'cannot_tell', 'shapes_differ'],
    ['ids between whole numbers', { positionIds: [0, 0.5, 1] }, 'not_explained', 'frequencies_unknown'],
    [
      'ids of an image without its parts',
      {
        positionIds: [
          [0, 1, 2],
          [0, 0, 1],
          [0, 1, 0],
        ],
      },
      'cannot_tell',
      'needs_parts',
    ],
  ])('%s are not reported as a fault', async (_, request, verdict, reason) => {
    expect(await diagnose(request as unknown as DiagnoseRequest)).toMatchObject({ verdict, reason });
  });

  it('one token of vectors is enough, unless its position is 0', async () => {
    const { before, after } = createDump(5);
    const singleToken = tensors({ before: before.subarray(0, heads * dim), after: after.subarray(0, heads * dim) }, [1, heads, dim]);
    expect((await diagnose({ ...singleToken, axes, claim, positions: [5] })).verdict).toBe('as_claimed');
    const unrotated = tensors({ before: before.subarray(0, heads * dim), after: before.subarray(0, heads * dim) }, [1, heads, dim]);
    expect(await diagnose({ ...unrotated, axes, claim })).toMatchObject({ verdict: 'cannot_tell', reason: 'only_position_zero' });
  });

  it('integers of unrelated arrays are not explained by a rotation', async () => {
    const createIntegers = (modulus: number) => ({
      shape,
      data: Int32Array.from({ length: tokens * heads * dim }, (_, index) => index % modulus),
    });
    expect(await diagnose({ before: createIntegers(7), after: createIntegers(5), axes, claim })).toMatchObject({
      verdict: 'not_explained',
    });
  });
});
