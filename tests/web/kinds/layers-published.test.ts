// Published config.json files, with keys unrelated to attention, show the layers of their model.
import { describe, expect, it } from 'vitest';
import { kind } from '../../../web/figure/kinds/layers/index.ts';
import type { ModelId } from '../../../web/figure/kinds/layers/models.ts';
import { figureOf } from './table-figures.ts';

const everyNth = (layers: number, nth: number): string[] =>
  Array.from({ length: layers }, (_, layer) => ((layer + 1) % nth === 0 ? 'full_attention' : 'sliding_attention'));

/** openai/gpt-oss-20b. */
const GPT_OSS = {
  architectures: ['GptOssForCausalLM'],
  attention_bias: true,
  attention_dropout: 0.0,
  eos_token_id: 200002,
  experts_per_token: 4,
  head_dim: 64,
  hidden_act: 'silu',
  hidden_size: 2880,
  initial_context_length: 4096,
  initializer_range: 0.02,
  intermediate_size: 2880,
  layer_types: everyNth(24, 2),
  max_position_embeddings: 131072,
  model_type: 'gpt_oss',
  num_attention_heads: 64,
  num_experts_per_tok: 4,
  num_hidden_layers: 24,
  num_key_value_heads: 8,
  num_local_experts: 32,
  output_router_logits: false,
  pad_token_id: 199999,
  quantization_config: { modules_to_not_convert: ['model.layers.*.self_attn', 'lm_head'], quant_method: 'mxfp4' },
  rms_norm_eps: 1e-5,
  rope_scaling: {
    beta_fast: 32.0,
    beta_slow: 1.0,
    factor: 32.0,
    original_max_position_embeddings: 4096,
    rope_type: 'yarn',
    truncate: false,
  },
  rope_theta: 150000,
  router_aux_loss_coef: 0.9,
  sliding_window: 128,
  swiglu_limit: 7.0,
  tie_word_embeddings: false,
  transformers_version: '4.55.0.dev0',
  use_cache: true,
  vocab_size: 201088,
};

const VISION = { hidden_size: 1152, image_size: 896, model_type: 'siglip_vision_model', num_attention_heads: 16, num_hidden_layers: 27 };
const GEMMA3_SIZES = {
  head_dim: 128,
  hidden_size: 5376,
  intermediate_size: 21504,
  model_type: 'gemma3_text',
  num_attention_heads: 32,
  num_hidden_layers: 62,
  num_key_value_heads: 16,
  query_pre_attn_scalar: 168,
  sliding_window: 1024,
};
const gemma3 = (text: object) => ({
  architectures: ['Gemma3ForConditionalGeneration'],
  boi_token_index: 255999,
  eos_token_id: [1, 106],
  mm_tokens_per_image: 256,
  model_type: 'gemma3',
  text_config: { ...GEMMA3_SIZES, ...text },
  vision_config: VISION,
});
/**
 * google/gemma-3-27b-it, which relies on the defaults of the config class; with all defaults; and in the format of transformers 5.
 */
const GEMMA3 = gemma3({ rope_scaling: { factor: 8.0, rope_type: 'linear' } });
const GEMMA3_WHOLE = gemma3({
  attn_logit_softcapping: null,
  cache_implementation: 'hybrid',
  final_logit_softcapping: null,
  max_position_embeddings: 131072,
  rope_local_base_freq: 10000.0,
  rope_scaling: { factor: 8.0, rope_type: 'linear' },
  rope_theta: 1000000.0,
  sliding_window_pattern: 6,
});
const GEMMA3_V5 = gemma3({
  _sliding_window_pattern: 6,
  layer_types: everyNth(62, 6),
  max_position_embeddings: 131072,
  rope_parameters: {
    full_attention: { factor: 8.0, rope_theta: 1000000.0, rope_type: 'linear' },
    sliding_attention: { rope_theta: 10000.0, rope_type: 'default' },
  },
  use_bidirectional_attention: false,
});

/** deepseek-ai/DeepSeek-V3. */
const DEEPSEEK = {
  architectures: ['DeepseekV3ForCausalLM'],
  attention_bias: false,
  auto_map: { AutoConfig: 'configuration_deepseek.DeepseekV3Config' },
  ep_size: 1,
  first_k_dense_replace: 3,
  hidden_size: 7168,
  intermediate_size: 18432,
  kv_lora_rank: 512,
  max_position_embeddings: 163840,
  model_type: 'deepseek_v3',
  moe_intermediate_size: 2048,
  n_routed_experts: 256,
  num_attention_heads: 128,
  num_experts_per_tok: 8,
  num_hidden_layers: 61,
  num_key_value_heads: 128,
  num_nextn_predict_layers: 1,
  q_lora_rank: 1536,
  qk_nope_head_dim: 128,
  qk_rope_head_dim: 64,
  quantization_config: { fmt: 'e4m3', quant_method: 'fp8', weight_block_size: [128, 128] },
  rms_norm_eps: 1e-6,
  rope_scaling: {
    beta_fast: 32,
    beta_slow: 1,
    factor: 40,
    mscale: 1.0,
    mscale_all_dim: 1.0,
    original_max_position_embeddings: 4096,
    type: 'yarn',
  },
  rope_theta: 10000,
  v_head_dim: 128,
  vocab_size: 129280,
};

describe('layers figure of a published config', () => {
  it.each<[string, object, ModelId]>([
    ['gpt-oss-20b', GPT_OSS, 'gpt_oss_20b'],
    ['Gemma 3 27B', GEMMA3, 'gemma_3_27b'],
    ['Gemma 3 27B with its defaults', GEMMA3_WHOLE, 'gemma_3_27b'],
    ['Gemma 3 27B from version 5', GEMMA3_V5, 'gemma_3_27b'],
    ['DeepSeek-V3', DEEPSEEK, 'deepseek_v3'],
  ])('shows the layers of %s', async (_, config, model) => {
    const [pastedFigure, knownFigure] = [await figureOf(kind, { config: JSON.stringify(config) }), await figureOf(kind, { model })];
    expect(pastedFigure.results.layers).toEqual(knownFigure.results.layers);
    expect(Array.from(pastedFigure.results.table.data)).toEqual(Array.from(knownFigure.results.table.data));
    expect(pastedFigure.proof()).toMatchObject({ good: true, residual: 0 });
  });

  it('shows other layers if one value is changed', async () => {
    const knownFigure = await figureOf(kind, { model: 'gemma_3_27b' });
    const scaledFigure = await figureOf(kind, { config: JSON.stringify(gemma3({ rope_scaling: { factor: 4, rope_type: 'linear' } })) });
    expect(scaledFigure.results.layers).not.toEqual(knownFigure.results.layers);
  });

  it('describes the layers of models of 2026', async () => {
    const ids = ['gemma_4_31b', 'qwen3_5_27b', 'kimi_linear_48b', 'deepseek_v4_flash', 'modernbert_base'] as const;
    const figures = await Promise.all(ids.map((model) => figureOf(kind, { model })));
    const sentences = figures.map((figure) => figure.readout());
    expect(sentences[0]).toMatch(
      /5 of 6 layers see the last 1,024 tokens \(base 10,000\) and every 6th sees all earlier tokens \(only the fastest quarter of the pairs, base 1,000,000\)/,
    );
    expect(sentences[1]).toMatch(/every 4th sees all earlier tokens; M-RoPE .*, on a quarter of each head, base 10,000,000\.$/);
    expect(sentences[2]).toBe(
      'Kimi Linear 48B: 20 of 27 layers have no softmax attention and the others see all earlier tokens without positions.',
    );
    expect(sentences[3]).toMatch(
      /base 160,000, low frequencies divided by 16, original length 65,536 tokens.*on the last 64 of 512 channels\..* a learned sink/,
    );
    expect(sentences[4]).toMatch(/2 of 3 layers see 64 tokens either way \(base 10,000\) and the others see all tokens \(base 160,000\)/);
  });
});
