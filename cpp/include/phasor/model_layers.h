#pragma once
// What each layer of a published model does around its attention, from its config.json (Hugging
// Face transformers, versions 4 and 5): encoding, window and scale differ between layers, and some
// models add a soft cap, sinks or a norm of queries and keys.

#include <optional>
#include <string>
#include <vector>

#include "phasor/encoding_config.h"
#include "phasor/result.h"

namespace phasor {

/// A norm of queries and keys, in the words of the option `qk_norm` of attention.
struct LayerQkNorm {
  std::string norm{};         ///< "rms"
  std::string over{};         ///< "head", or "all_heads" of a token as one vector (OLMo)
  std::string weight_form{};  ///< "plain", "one_plus" (Gemma), or "none": there is no weight
  std::string order{};        ///< "before_encoding" or "after_encoding"
  double eps = 0;
};

/// Queries are multiplied by query_temperature(position, floor_scale, attn_scale) (irope.h).
struct LayerTemperature {
  double floor_scale = 0, attn_scale = 0;
};

struct ModelLayer {
  std::string type{};  ///< "full_attention", "sliding_attention" or "chunked_attention"
  EncodingConfig encoding{};
  /// The factor on q.k, where it is neither 1 / sqrt(width) nor the encoding's own
  std::optional<double> scale{};
  std::optional<int> window{};  ///< keys this many positions away, or more, are hidden
  /// A query sees only keys of its own chunk of so many positions (Llama 4)
  std::optional<int> chunk{};
  std::optional<double> softcap{};  ///< of the scaled products
  bool sinks = false;               ///< each head has a learned sink, which is in the checkpoint
  std::optional<LayerQkNorm> qk_norm{};           ///< its weights are in the checkpoint
  std::optional<LayerTemperature> temperature{};  ///< Llama 4, in layers that do not turn
};

/// All layers of a model, in order; the file is given as model_encoding takes it. Of gpt_oss,
/// gemma2, gemma3, qwen3, olmo2, olmo3, cohere2, llama4, smollm3, exaone4 and deepseek_v3, whose
/// attention was read for this: any other model_type is refused, because what it adds is not known.
/// num_hidden_layers must be in the file.
///
/// Of deepseek_v3 the encoding is that of whole heads, qk_nope_head_dim channels of content before
/// qk_rope_head_dim that turn (rotary_offset).
Result<std::vector<ModelLayer>> model_layers(const Params& config);

}  // namespace phasor
