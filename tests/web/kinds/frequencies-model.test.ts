// Frequencies of published models, read from their config.json by the real core.
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { kind } from '../../../web/figure/kinds/frequencies/index.ts';
import { FRAME, figureOf, refusal, textsOf } from './rotary-figure.ts';

const LLAMA = {
  architectures: ['LlamaForCausalLM'],
  model_type: 'llama',
  hidden_size: 4096,
  num_attention_heads: 32,
  max_position_embeddings: 131072,
  rope_theta: 500000,
  rope_scaling: { factor: 8, low_freq_factor: 1, high_freq_factor: 4, original_max_position_embeddings: 8192, rope_type: 'llama3' },
};
const GEMMA = {
  model_type: 'gemma3_text',
  head_dim: 256,
  max_position_embeddings: 131072,
  rope_parameters: {
    full_attention: { rope_type: 'linear', factor: 8, rope_theta: 1e6 },
    sliding_attention: { rope_type: 'default', rope_theta: 1e4 },
  },
};
const PHI = {
  model_type: 'phi3',
  hidden_size: 3072,
  num_attention_heads: 32,
  original_max_position_embeddings: 4096,
  max_position_embeddings: 131072,
  rope_scaling: { type: 'longrope', short_factor: Array(48).fill(1), long_factor: Array.from({ length: 48 }, (_, pair) => 1 + pair) },
};
/** Every fourth layer has no rotation. */
const SMOL = { model_type: 'smollm3', no_rope_layers: [1, 1, 1, 0], hidden_size: 64, num_attention_heads: 4 };
const printConfig = (fields: object): string => JSON.stringify(fields);

describe('frequencies of a model', () => {
  it('reads a model from its config.json, and notes what the config lacks', async () => {
    const { spec, results } = await figureOf(kind, { config: printConfig(LLAMA) });
    const [trainedFrequencies] = results.scaledFrequencies;
    expect(trainedFrequencies?.encoding).toMatchObject({
      id: 'rope',
      base: 500000,
      scaling: 'llama3',
      factor: 8,
      original_length: 8192,
      layout: 'half_split',
    });
    expect([results.dim, results.trained, results.length]).toEqual([128, 8192, 131072]);
    expect(results.scaledFrequencies.map(({ scaling }) => scaling)).toEqual(['llama3', 'none', 'linear', 'ntk_aware', 'yarn']);
    expect(results.notes).toMatchSnapshot();
    const texts = textsOf(kind.scene(results, spec, FRAME).picture.marks);
    expect(texts).toContain('Llama 3: this model');
    expect(texts).toContain('trained: 8,192 tokens');
    // The slowest pair is divided by the whole factor, the fastest is unchanged.
    const [model, none] = results.scaledFrequencies;
    expect((model?.wavelengths.at(-1) as number) / (none?.wavelengths.at(-1) as number)).toBeCloseTo(8, 4);
    expect(model?.wavelengths[0]).toBe(none?.wavelengths[0]);
  });

  it('reads the head dimension, also of a text model and of latent attention', async () => {
    const trainedFrequencies = await figureOf(kind, { config: printConfig({ text_config: { ...LLAMA, head_dim: 64 }, model_type: 'x' }) });
    expect([trainedFrequencies.results.dim, trainedFrequencies.results.length]).toEqual([64, 131072]);
    expect(trainedFrequencies.results.notes.join(' ')).toContain('Head dimension from head_dim.');
    const latent = { model_type: 'deepseek_v3', qk_rope_head_dim: 32, head_dim: 64, rope_theta: 10000, max_position_embeddings: 4096 };
    expect((await figureOf(kind, { config: printConfig(latent) })).results.dim).toBe(32);
  });

  it('does not show a derived factor as that of the config', async () => {
    const half = Array.from({ length: 48 }, (_, pair) => 1 + pair / 8);
    const phi = {
      model_type: 'phi3',
      hidden_size: 3072,
      num_attention_heads: 32,
      max_position_embeddings: 131072,
      original_max_position_embeddings: 4096,
      rope_scaling: { type: 'longrope', long_factor: half, short_factor: half.map(() => 1) },
    };
    const { spec, results } = await figureOf(kind, { config: printConfig(phi) });
    expect(results.notes[0]).not.toContain('factor 8');
    expect(results.notes).toContain('The other scalings use factor 32, text length / trained length.');
    expect(kind.resolvedFields?.(results, spec)).toMatchObject({ factor: 32, trained: 4096, length: 131072 });
  });

  it('names the config keys and the defaults it read, for versions 4 and 5 of transformers', async () => {
    const { rope_theta, rope_scaling, ...otherFields } = LLAMA;
    const version5Config = { ...otherFields, rope_parameters: { ...rope_scaling, rope_theta } };
    const [version4, version5] = await Promise.all(
      [LLAMA, version5Config].map((source) => figureOf(kind, { config: printConfig(source) })),
    );
    expect(version5?.results.scaledFrequencies).toEqual(version4?.results.scaledFrequencies);
    expect(version4?.results.notes.join(' ')).toContain(
      'from model_type llama, rope_theta 500,000, rope_scaling.rope_type llama3, rope_scaling.factor 8',
    );
    expect(version5?.results.notes.join(' ')).toContain(
      'from model_type llama, rope_parameters.rope_type llama3, rope_parameters.rope_theta 500,000',
    );
    for (const results of [version4?.results, version5?.results]) expect(results?.notes.join(' ')).not.toContain('assumed');

    const bare = await figureOf(kind, { config: printConfig(otherFields) });
    expect(bare.results.scaledFrequencies[0]?.encoding).toMatchObject({ base: 10000, scaling: 'none' });
    expect(bare.results.notes.join(' ')).toMatch(/defaults of the model family: rope_theta 10,000\./);
  });

  it.each(['llama3', 'llama-v5cfg', 'gptj-a', 'neox-a', 'qwen2-a'])('derives the head dimension of the checkpoint %s', async (name) => {
    const file = JSON.parse(readFileSync(`tests/golden-models/${name}/config.json`, 'utf8'));
    const { results } = await figureOf(kind, { config: JSON.stringify(file), compare: 'none' });
    const width = file.head_dim ?? (file.hidden_size ?? file.n_embd) / (file.num_attention_heads ?? file.n_head);
    expect(results.dim).toBe(width);
    expect(results.notes.join(' ')).toContain(`model_type ${file.model_type}`);
    expect(results.notes.join(' ')).not.toContain('channels are assumed');
  });

  it('lists the assumptions for an unknown model family', async () => {
    const { results } = await figureOf(kind, { config: printConfig({ model_type: 'foo', head_dim: 64, rope_theta: 5000 }) });
    expect(results.notes).toContain(
      'Assumed, because this model family is unknown: layout half_split, direction positive, rotary_fraction 1, and layers all.',
    );
  });

  it('shows one layer of a model whose layers differ', async () => {
    const { results } = await figureOf(kind, { config: printConfig(SMOL), layer: 2 });
    expect(results.notes).toContain('Layers differ; this is layer 2, counted from 0.');
    expect(results.dim).toBe(16);
  });

  it('shows wider heads for full attention in Gemma 4', async () => {
    const rope_parameters = {
      full_attention: { partial_rotary_factor: 0.25, rope_theta: 1000000, rope_type: 'proportional' },
      sliding_attention: { rope_theta: 10000, rope_type: 'default' },
    };
    const baseConfig = { head_dim: 256, global_head_dim: 512, num_hidden_layers: 6, num_attention_heads: 4, max_position_embeddings: 4096 };
    const file = printConfig({ model_type: 'gemma4_text', ...baseConfig, rope_parameters });
    const [wideFigure, narrowFigure] = await Promise.all(
      ['full_attention', 'sliding_attention'].map((layerType) => figureOf(kind, { config: file, layerType })),
    );
    expect([wideFigure?.results.dim, narrowFigure?.results.dim]).toEqual([512, 256]);
    expect(wideFigure?.results.notes).toContain('Head dimension from global_head_dim.');
  });

  it('shows the selected type of layers', async () => {
    const [full, local] = await Promise.all(
      ['full_attention', 'sliding_attention'].map((layerType) => figureOf(kind, { config: printConfig(GEMMA), layerType })),
    );
    expect(full?.results.scaledFrequencies[0]?.encoding).toMatchObject({ base: 1e6, scaling: 'linear' });
    expect(local?.results.scaledFrequencies[0]?.encoding).toMatchObject({ base: 1e4, scaling: 'none' });
  });

  it('shows the long factors of a longrope model, and derives its head dimension from hidden_size', async () => {
    const { results } = await figureOf(kind, { config: printConfig(PHI) });
    expect(results.dim).toBe(96);
    expect(results.notes).toContain('Head dimension from hidden_size / num_attention_heads.');
    const [trainedFrequencies, none] = results.scaledFrequencies;
    expect((trainedFrequencies?.wavelengths[47] as number) / (none?.wavelengths[47] as number)).toBeCloseTo(48, 3);
    expect(results.notes.join(' ')).toMatch(/long factor \(48 values\).*LongRoPE multiplies cosines and sines by 1\.19\./);
  });

  it('accepts the config.json of a checkpoint', async () => {
    const file = JSON.parse(readFileSync('tests/golden-models/llama3/config.json', 'utf8'));
    expect(kind.accept?.({ name: 'config.json', json: file })).toEqual({ config: JSON.stringify(file) });
    expect(kind.accept?.({ name: 'list.json', json: [1] })).toBeUndefined();
    expect(kind.accept?.({ name: 'table.npy', tensors: {} })).toBeUndefined();
    const { results } = await figureOf(kind, { config: JSON.stringify(file), dim: 16 });
    expect([results.trained, results.length]).toEqual([32, 64]);
  });

  it.each([
    [{ config: '{"rope_theta": 1' }, /^config: is not JSON \(/],
    [{ config: '🙂' }, /^config: is not JSON \(/],
    [{ config: '[1, 2]' }, /^config: is not a JSON object/],
    [{ config: '{}' }, /^model_type: the key is missing/],
    [
      { config: '{"model_type": "bert"}' },
      /^config: a model of type bert has a learned position table and no rotation, so there are no frequencies to show$/,
    ],
    [{ config: '{"model_type": "bloom", "n_head": 16}' }, /^config: a model of type bloom has ALiBi and no rotation/],
    [{ config: '{"model_type": "t5"}' }, /^config: a model of type t5 has the relative biases of T5 and no rotation/],
    [{ config: '{"model_type": "nonesuch"}' }, /^model_type: "nonesuch" is not known/],
    [
      { config: printConfig({ model_type: 'cohere2', hidden_size: 64, num_attention_heads: 4 }), layerType: 'full_attention' },
      /^config: full attention layers of a model of type cohere2 have no position encoding, .* choose other layers$/,
    ],
    [
      { config: printConfig(SMOL), layer: 3 },
      /^config: layer 3 of a model of type smollm3 has no position encoding, .* choose another layer$/,
    ],
    [{ config: '{"rope_scaling": {"type": "linear"}}' }, /^rope_scaling\.factor: the key is missing; linear needs it$/],
    [{ config: '{"rope_scaling": {"type": "magic", "factor": 2}}' }, /^rope_scaling\.type: "magic" is unknown/],
    [{ config: '{"rope_theta": "fast"}' }, /^rope_theta: "fast" is not a number$/],
    [{ config: printConfig(GEMMA) }, /^layerType: is required, because layers differ/],
    [
      { config: printConfig({ ...PHI, hidden_size: undefined }) },
      /^dim: 128 channels per head do not fit this config; expected the model’s head dimension \(/,
    ],
  ])('rejects %j with one sentence', async (input, sentence) => {
    const message = await refusal(kind as never, input);
    expect(message).toMatch(sentence);
    expect(message).not.toMatch(/\n/);
  });
});
