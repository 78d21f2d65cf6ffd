// Runs whole models on the built package, and checks that the cases detect wrong models.

import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { createPhasor, type Phasor } from '../../web/engine/node.ts';
import type { AttentionRequest, CreateCacheRequest, Params, Tensor } from '../../web/engine/types/api.ts';
import type { AnyPhasor } from './contract-checks.ts';
import { hasModelCases, modelCases } from './golden-models.contract.ts';
import { families, type ModelFiles } from './models/families.ts';
import { t5DecoderCases } from './models/t5-decoder.ts';
import './relaxed-simd.ts';

const folder = 'tests/golden-models';
const json = (path: string) => JSON.parse(readFileSync(`${folder}/${path}`, 'utf8'));
const read = (name: string): ModelFiles => ({
  config: json(`${name}/config.json`),
  bytes: readFileSync(`${folder}/${name}/model.safetensors`),
  expected: json(`${name}/expected.json`),
});
const { cases }: { cases: string[] } = json('index.json');
const names = cases.filter((name) => hasModelCases(read(name).expected.family));
const variants = ['relaxed', 'simd'] as const;
const created = await Promise.all(variants.map(async (variant) => [variant, await createPhasor({ variant })] as const));
const phasor = Object.fromEntries(created) as Record<(typeof variants)[number], Phasor>;

for (const variant of variants) {
  describe.each(names)(`%s, ${variant}`, (name) => {
    it.each([...modelCases(read(name))])('$name', ({ run }) => run(phasor[variant]));
  });
}

it('lists every model folder, and runs a model of every family', () => {
  const folders = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory() && entry.name !== 'negative');
  expect(folders.map((entry) => entry.name).sort()).toEqual([...cases].sort());
  expect([...new Set(names.map((name) => read(name).expected.family))].sort()).toEqual(Object.keys(families).sort());
});

describe('golden model case', () => {
  // Returns an engine that changes each attention request.
  const changeAttention = (change: (request: AttentionRequest) => object) => ({
    ...phasor.simd,
    attention: ((request: AttentionRequest) => phasor.simd.attention({ ...request, ...change(request) })) as AnyPhasor['attention'],
  });
  const changeCache = (change: (request: CreateCacheRequest) => object) => ({
    ...phasor.simd,
    createCache: (request: CreateCacheRequest) => phasor.simd.createCache({ ...request, ...change(request) }),
  });
  const expectFailure = async (name: string, change: (request: AttentionRequest) => object, input = 2) => {
    await expect(modelCases(read(name))[input]?.run(changeAttention(change))).rejects.toThrow(
      /^text \d, (state|weights of layer) \d.*: got /,
    );
  };
  const encoding = ({ encoding }: AttentionRequest | CreateCacheRequest, params: object) => ({
    encoding: { ...(encoding as Params), ...params },
  });

  it.each(names.filter((name) => /^(llama|qwen2|neox)/.test(name)))('fails for %s with rotation of adjacent channels', (name) =>
    expectFailure(name, (request) => encoding(request, { layout: 'interleaved' })),
  );
  it.each(['gptj-a', 'gptj-full'])('fails for %s with rotation of the two halves of a head', (name) =>
    expectFailure(name, (request) => encoding(request, { layout: 'half_split' })),
  );
  it.each(['neox-a', 'neox-hub', 'gptj-a'])('fails for %s with rotation of all channels', (name) =>
    expectFailure(name, (request) => encoding(request, { rotary_fraction: 1, rotary_dim: 0 })),
  );
  it.each(['llama-linear', 'llama3', 'llama-v5cfg'])('fails for %s with unscaled frequencies', (name) =>
    expectFailure(name, (request) => encoding(request, { scaling: 'none' })),
  );
  it.each(['llama-tied', 'neox-hub', 'qwen2-tied'])('fails for %s with the base 10000', (name) =>
    expectFailure(name, (request) => encoding(request, { base: 10000 })),
  );
  it('fails for bloom-3h with the first three slopes of four heads', () => {
    const slopes: Tensor = { shape: [3], data: Float32Array.of(1 / 4, 1 / 16, 1 / 64) };
    return expectFailure('bloom-3h', (request) => encoding(request, { slopes }));
  });
  it.each(['bloom-3h', 'bloom-hub'])('fails for %s without an encoding', (name) => expectFailure(name, () => ({ encoding: 'none' })));
  it.each(['t5enc-a', 't5-full'])('fails for %s with scores divided by the root of the head dimension', (name) =>
    expectFailure(name, ({ q }) => ({ scale: 1 / Math.sqrt(q.shape[2] as number) })),
  );
  it.each(['t5enc-a', 't5-full'])('fails for %s with unidirectional buckets', (name) =>
    expectFailure(name, (request) => encoding(request, { bidirectional: false })),
  );
  it('fails for gpt2-invlayer with scores not divided by the layer number', () =>
    expectFailure('gpt2-invlayer', () => ({ scale: 1 / Math.sqrt(8) })));
  it.each(['bert-mlm', 'bert-hub', 't5enc-a'])('fails for %s without a padding mask', (name) =>
    expectFailure(name, () => ({ keyMask: undefined }), 3),
  );
  it.each(['gpt2-a', 'opt-a', 'opt-350m'])('fails for %s without a causal mask', (name) => expectFailure(name, () => ({ mask: 'none' })));

  const changeDecoding = (name: string, change: (request: CreateCacheRequest) => object) => {
    const modelCase = modelCases(read(name)).find((candidate) => candidate.name.includes('7 tokens decoded'));
    return expect(modelCase?.run(changeCache(change))).rejects.toThrow(/^logits\[\d+\]: got /);
  };
  it.each(['llama-gqa', 'neox-a', 'gptj-a', 'bloom-3h'])('fails for %s with caches without an encoding', (name) =>
    changeDecoding(name, () => ({ encoding: 'none' })),
  );
  it('fails for gpt2-invlayer with the default scale in its caches', () =>
    changeDecoding('gpt2-invlayer', () => ({ scale: 1 / Math.sqrt(8) })));
  it('fails for the decoder of t5-full with bidirectional buckets or another maximum distance', async () => {
    const [, fullCase, decodedCase] = t5DecoderCases(read('t5-full'));
    const wrongEncodings = [{ bidirectional: true }, { max_distance: 21 }];
    for (const params of wrongEncodings) {
      await expect(fullCase?.run(changeAttention((request) => (request.encoding ? encoding(request, params) : {})))).rejects.toThrow(
        /^logits\[/,
      );
      await expect(decodedCase?.run(changeCache((request) => encoding(request, params)))).rejects.toThrow(/^logits of token \d+\[/);
    }
  });

  it.each(['gpt2-a', 'opt-350m', 'bloom-3h', 'llama-gqa', 'gptj-a'])(
    'fails for %s if tokens attend to the padding before them',
    async (name) => {
      const modelCase = modelCases(read(name)).find((candidate) => candidate.name.includes('behind padding'));
      await expect(modelCase?.run(changeAttention(() => ({ keyMask: undefined })))).rejects.toThrow(/^logits\[\d+\]: got /);
    },
  );
  it.each([
    ['llama-gqa', { rope_theta: 10001 }],
    ['llama-v5cfg', { rope_parameters: { rope_type: 'linear', factor: 2, rope_theta: 20000 } }],
    ['neox-a', { rotary_pct: 0.5 }],
    ['qwen2-tied', { rope_theta: 1e5 }],
    ['bloom-3h', { n_head: 4 }],
    ['t5-full', { relative_attention_max_distance: 32 }],
  ])('fails for %s with %j in config.json', async (name, message) => {
    const files = read(name);
    const modelCase = modelCases({ ...files, config: { ...files.config, ...message } }).find((candidate) =>
      /: (inv_freq|slopes|bias)$/.test(candidate.name),
    );
    await expect(modelCase?.run(phasor.simd)).rejects.toThrow(/^(inv_freq|slopes|bias)(\[\d+\]: got |: there are )/);
  });

  it('fails for an unknown field or family, a wrong count or value, and an unused weight', async () => {
    const files = read('gpt2-a');
    const [batch] = files.expected.inputs;
    const run = (fields: object) =>
      modelCases({ ...files, expected: { ...files.expected, inputs: [{ ...batch!, ...fields }] } })[0]?.run(phasor.simd);
    await expect(run({ loss: 1 })).rejects.toThrow('inputs: the field loss is not known');
    await expect(run({ attentions: [] })).rejects.toThrow('2 layers have attended');
    await expect(run({ hidden_states: [] })).rejects.toThrow('there are 3 states');
    const { shape, data } = batch!.logits!;
    const values = data.map((x, i) => (i === 5 ? x + 1e-5 * (1 + Math.abs(x)) : x));
    await expect(run({ logits: { shape, data: values } })).rejects.toThrow(/^text 0, output\[5\]: got /);
    expect(() => modelCases({ ...files, expected: { ...files.expected, family: 'mamba' } })).toThrow('the family mamba is not known');
    const config = { ...files.config, n_layer: 1 };
    const attentions = batch!.attentions.slice(0, 1);
    const truncatedFiles = { ...files, config, expected: { ...files.expected, inputs: [{ ...batch!, attentions }] } };
    await expect(modelCases(truncatedFiles)[0]?.run(phasor.simd)).rejects.toThrow(/^no layer used (transformer\.h\.1\.[a-z_12.]+,?)+$/);
  });
});
