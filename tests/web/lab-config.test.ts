// A pasted config.json, read by the real core and fitted to the sentence of the Lab.
import { describe, expect, it } from 'vitest';
import { findLayers, stateFromLayers } from '../../web/lab/config/config-layers.ts';
import {
  type ConfigChoices,
  type ConfigEngine,
  type ParsedConfig,
  readConfig,
  stateFromConfig,
} from '../../web/lab/config/config-reading.ts';
import { CONFIG_EXAMPLES } from '../../web/lab/config/config-strings.ts';
import { parseLink, printLink } from '../../web/lab/state/link.ts';
import { INITIAL_STATE } from '../../web/lab/state/state.ts';
import { phasor } from './kinds/sentence-means.ts';

const read = (config: unknown, answers: ConfigChoices = {}) =>
  readConfig(typeof config === 'string' ? config : JSON.stringify(config), answers, phasor as unknown as ConfigEngine, INITIAL_STATE);

async function understood(config: unknown, answers?: ConfigChoices): Promise<ParsedConfig> {
  const reading = await read(config, answers);
  if (!('parsedConfig' in reading)) throw new Error(JSON.stringify(reading));
  return reading.parsedConfig;
}

describe('config.json reader', () => {
  it('reports the keys it read and assumed, and sets the state of the Lab', async () => {
    const llama = await understood(CONFIG_EXAMPLES[0]?.[1]);
    expect(llama.configEncoding.sourceKeys).toMatchObject({ model_type: 'llama', rope_theta: 500000, 'rope_scaling.factor': 8 });
    expect(llama.configEncoding.defaults).toEqual({});
    expect(llama.unshownProperties).toEqual(['32 heads of 128 channels; not applied to the sentence']);
    const state = { ...INITIAL_STATE, ...stateFromConfig(llama, INITIAL_STATE) };
    expect(state).toMatchObject({ encoding: 'rope', question: 'reach', view: 'frequencies' });
    expect(state.params).toMatchObject({ base: 500000, layout: 'half_split', scaling: 'llama3', original_length: 8192 });
    expect(state.figures).toEqual({ 'frequencies.dim': '128', 'frequencies.length': '131072' });
    expect(parseLink(printLink(state)).state).toEqual(state);
    expect((await understood({ model_type: 'llama', vocab_size: 32000 })).configEncoding.defaults).toEqual({ rope_theta: 10000 });
    expect((await understood({ model_type: 'llama', vocab_size: 32000 })).unusedKeys).toEqual(['vocab_size']);
  });

  it('reports the assumptions for a family that is not listed', async () => {
    const { configEncoding } = await understood({ model_type: 'foo', rope_theta: 500000 });
    expect(configEncoding.assumed).toEqual({ layout: 'half_split', direction: 'positive', rotary_fraction: 1, layers: 'all' });
    expect(configEncoding.defaults).toEqual({});
    expect(await read({ model_type: 'foo', rotary_emb_base: 1000, rotary_emb_fraction: 1 })).toMatchObject({
      problem: expect.stringMatching(/^rotary_emb_fraction: 1 has no known meaning for model_type "foo", which is not listed; set/),
    });
  });

  it('sets the encoding of a model without rotation', async () => {
    const bloom = await understood(CONFIG_EXAMPLES[1]?.[1]);
    expect(bloom.params).toEqual({ form: 'row_shifted' });
    expect(bloom.info.id).toBe('alibi');
    expect(bloom.unshownProperties.join()).toMatch(/position ids of padded text follow the convention of bloom/);
    const t5 = await understood({ model_type: 't5' }, { stack: 'decoder' });
    expect(t5.params).toMatchObject({ bidirectional: false, num_buckets: 32 });
    expect((await understood({ model_type: 'gpt_neo' })).unshownProperties.join()).toMatch(/multiplied by 1\.00/);
  });

  it.each([
    ['BLOOM', { model_type: 'bloom', n_head: 112, hidden_size: 14336 }, '112 heads of 128 channels'],
    ['T5', { model_type: 't5', num_heads: 12, d_kv: 64 }, '12 heads of 64 channels'],
    ['a file without widths', { model_type: 'bloom', n_head: 112 }, '112 heads'],
    [
      'DeepSeek-V3',
      { model_type: 'deepseek_v3', num_attention_heads: 128, qk_nope_head_dim: 128, qk_rope_head_dim: 64 },
      '128 heads of 192 channels, 64 rotated in each',
    ],
    [
      'latent attention without the width of a head',
      { model_type: 'deepseek_v3', num_attention_heads: 128, qk_rope_head_dim: 64 },
      '128 heads, 64 rotated in each',
    ],
  ])('reports the number and width of the heads of %s', async (_, config, sizes) => {
    const { unshownProperties } = await understood(config, config.model_type === 't5' ? { stack: 'decoder' } : {});
    expect(unshownProperties).toContain(`${sizes}; not applied to the sentence`);
  });

  it.each([
    [{ use_sliding_window: false }, false],
    [{ use_sliding_window: true }, true],
    [{}, true],
  ])('reports the sliding window of %j: %s', async (keys, isNamed) => {
    const { unshownProperties } = await understood({ model_type: 'qwen2', sliding_window: 131072, ...keys });
    expect(unshownProperties.join().includes('sliding_window 131072')).toBe(isNamed);
  });

  it.each([
    [{ model_type: 'bloom' }, 'causal'],
    [{ model_type: 'mpt', attn_config: { alibi: true } }, 'causal'],
    [{ model_type: 'bert' }, 'none'],
  ] as const)('shows %j with mask %s', async (config, mask) => {
    expect({ ...INITIAL_STATE, ...stateFromConfig(await understood(config), INITIAL_STATE) }.mask).toBe(mask);
  });

  it('requests a choice that the config leaves open', async () => {
    expect(await read({ model_type: 't5' })).toEqual({ openQuestion: { field: 'stack', choices: ['encoder', 'decoder'] } });
    expect(await read({ model_type: 'gemma3_text' })).toMatchObject({
      openQuestion: { field: 'layerType', choices: ['full_attention', 'sliding_attention'] },
    });
    expect(await read({ model_type: 'cohere2' })).toMatchObject({
      openQuestion: { field: 'layerType', choices: ['full_attention', 'sliding_attention'] },
    });
    expect((await understood({ model_type: 'cohere2' }, { layerType: 'full_attention' })).info.id).toBe('none');
    expect(await read({ model_type: 'llama4_text' })).toEqual({ openQuestion: { field: 'layerIdx', choices: [] } });
    expect(await read({ model_type: 'llama4_text', num_hidden_layers: 48 })).toEqual({ openQuestion: { field: 'layerIdx', choices: [] } });
    const layered = { model_type: 'smollm3', no_rope_layers: [1, 0] };
    expect(await read(layered)).toEqual({ openQuestion: { field: 'layerIdx', choices: [] } });
    expect((await understood(layered, { layerIdx: 0 })).info.id).toBe('rope');
    expect((await understood(layered, { layerIdx: 1 })).info.id).toBe('none');
  });

  it.each([
    ['rotary_dim', { model_type: 'gptj', rotary_dim: 64, n_embd: 4096, n_head: 16 }],
    [
      'short_factor',
      {
        model_type: 'phi3',
        hidden_size: 3072,
        num_attention_heads: 32,
        original_max_position_embeddings: 4096,
        max_position_embeddings: 131072,
        rope_scaling: { type: 'longrope', short_factor: Array(48).fill(1), long_factor: Array(48).fill(2) },
      },
    ],
  ])('reports that %s does not fit the sentence, and passes the whole file to Reach', async (name, config) => {
    const understanding = await understood(config);
    expect(understanding.unshownProperties[0]).toContain(name);
    expect(understanding.unshownProperties.join()).toContain('The Longer context view, under Reach, shows all parameters of the encoding.');
    expect(JSON.parse(understanding.figures['frequencies.config'] as string)).toEqual(config);
  });

  it('omits slopes for another number of heads', async () => {
    const falcon = await understood({ model_type: 'falcon', alibi: true });
    expect(falcon.unshownProperties[0]).toMatch(/^slopes: not supported for this sentence/);
    expect(falcon.params).toEqual({ form: 'row_shifted' });
  });

  it.each([
    ['', ''],
    ['{"model_type": "llama",}', /^This is not JSON \(.*\)\.$/],
    ['[1, 2]', 'This is JSON but not an object; expected the contents of a config.json.'],
    ['{}', 'The key model_type is missing, and no other key concerns positions.'],
    [{ model_type: 'whatever' }, 'model_type: "whatever" is not known, and no other key specifies the positions.'],
    [{ model_type: 'mamba' }, 'model_type: "mamba" has neither attention nor positions.'],
    [{ model_type: 'llama', rope_theta: 'x' }, 'rope_theta: "x" is not a number.'],
    [{ model_type: 'llama', rope_scaling: { type: 'yarnn', factor: 2 } }, /^rope_scaling\.type: "yarnn" is unknown; expected one of /],
    [' '.repeat(1_000_001), 'The text has 1,000,001 characters; at most 1,000,000 are supported.'],
  ])('rejects an invalid config with one sentence (case %#)', async (config, sentence) => {
    const reading = await read(config);
    expect(reading).toHaveProperty('problem');
    if (typeof sentence === 'string') expect(reading).toEqual({ problem: sentence });
    else expect((reading as { problem: string }).problem).toMatch(sentence);
  });

  it('finds the layers of a listed family without requesting a choice', async () => {
    const gemma = { model_type: 'gemma3_text', num_hidden_layers: 12, sliding_window: 512 };
    const layers = await findLayers(JSON.stringify(gemma), phasor as never);
    expect(layers).toEqual({
      configText: JSON.stringify(gemma),
      sentence:
        '5 of 6 layers see the last 512 tokens (base 10,000) and every 6th sees all earlier tokens (base 1,000,000); RoPE with half-split pairs.',
      encoding: { id: 'rope', base: 10000, layout: 'half_split', scaling: 'none' },
    });
    expect(await read(gemma)).toHaveProperty('openQuestion');
    const figures = { 'layers.context': '99', 'layers.config': '{}', 'decay.length': '9' };
    const state = {
      ...INITIAL_STATE,
      ...(await stateFromLayers(layers ?? {}, phasor as unknown as ConfigEngine, { ...INITIAL_STATE, figures })),
    };
    // The state takes the encoding of the layers.
    expect(state).toMatchObject({ question: 'reach', view: 'layers', encoding: 'rope' });
    expect(state.params).toMatchObject({ base: 10000, layout: 'half_split' });
    expect(state.figures).toEqual({ 'decay.length': '9', 'layers.config': JSON.stringify(gemma) });
    expect(parseLink(printLink(state)).state).toEqual(state);
    const deepseek = { model_type: 'deepseek_v3', num_hidden_layers: 61 };
    expect(await findLayers(JSON.stringify(deepseek), phasor as never)).toMatchObject({
      sentence: expect.stringMatching(/^All 61 layers do the same: RoPE with interleaved pairs/),
    });
  });

  it('reports why the layers of other configs are unknown', async () => {
    expect(await findLayers('{"model_type": "foo"}', phasor as never)).toEqual({
      layersProblem: 'model_type: "foo" is not known, and no other key specifies the positions',
    });
    expect(await findLayers('{"model_type": "gpt_oss"}', phasor as never)).toEqual({
      // Its windows differ, which is not reported without the number of layers.
      sentence:
        'All layers use the same positional encoding: RoPE with half-split pairs, base 150,000, low frequencies divided by 32, original length 4,096 tokens.',
      layersProblem: 'num_hidden_layers: the key is missing; expected the number of layers',
    });
    expect(await findLayers('{"model_type": "foo", "num_hidden_layers": 32, "rope_theta": 500000}', phasor as never)).toEqual({
      sentence: 'All 32 layers use the same positional encoding, as far as the config specifies: RoPE with half-split pairs, base 500,000.',
      layersProblem: 'model_type: "foo" is not a family with known layers; docs/models.md lists the known families',
    });
    for (const text of ['', '{', '[1]']) expect(await findLayers(text, phasor as never)).toBeUndefined();
  });
});
