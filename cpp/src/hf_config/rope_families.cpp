// Defaults as in configuration_*.py of Hugging Face transformers 4.57, pairs and layers as in
// modeling_*.py. Where version 5 has another default (cohere, olmo3: 500000), that of 4.57 counts:
// version 5 writes the key into every file, so a file without it is older. Families that came with
// version 5 have its defaults. Falcon-H1 has another default in each (100000, then 10000), so its
// files have to say it, as all published ones do.

#include "hf_config/rope_families.h"

#include <algorithm>
#include <cmath>

#include "core/format_error.h"
#include "hf_config/rope_scaling_types.h"

namespace phasor {

namespace {

constexpr RopeFamily kRopeFamilies[] = {
    {.names = "falcon, olmo2", .source = Source::v4},
    {.names =
         "gemma, llama, mistral, olmo, olmoe, phi3, qwen2, qwen2_moe, qwen3, qwen3_moe, seed_oss",
     .source = Source::v5},
    {.names = "starcoder2", .source = Source::v4_v5},
    {.names = "dbrx", .source = Source::v4, .base_key = "attn_config.rope_theta"},
    {.names = "mixtral", .source = Source::v5, .base = 1e6},
    {.names = "phimoe", .source = Source::v4, .base = 1e6},
    {.names = "lfm2", .source = Source::v4_v5, .base = 1e6},
    {.names = "qwen2_vl, qwen2_vl_text, qwen2_5_vl, qwen2_5_vl_text",
     .source = Source::v4_v5,
     .base = 1e6},
    {.names = "qwen3_vl, qwen3_vl_text",
     .source = Source::v5,
     .base = 5e6,
     .interleaved_sections = true},
    {.names = "falcon_h1", .source = Source::v4_v5, .base = 0},
    {.names = "gpt_oss",
     .source = Source::v5,
     .base = 150000,
     .pattern = {2},
     .scaling = scale_gpt_oss},
    {.names = "apertus", .source = Source::v5, .base = 12e6, .scaling = scale_apertus},

    // A part of each head.
    {.names = "gpt_neox",
     .source = Source::v4_v5,
     .base_key = "rotary_emb_base",
     .rotary_fraction = 0.25,
     .share_key = "rotary_pct"},
    {.names = "qwen3_next, stablelm", .source = Source::v5, .rotary_fraction = 0.25},
    {.names = "nemotron, phi", .source = Source::v5, .rotary_fraction = 0.5},
    {.names = "recurrent_gemma", .source = Source::v4, .rotary_fraction = 0.5},
    {.names = "bamba", .source = Source::v4_v5, .rotary_fraction = 0.5},
    {.names = "persimmon", .source = Source::v4, .base = 25000, .rotary_fraction = 0.5},
    {.names = "fuyu", .source = Source::v5, .base = 25000, .rotary_fraction = 0.5},
    {.names = "glm4_moe", .source = Source::v4, .rotary_fraction = 0.5},
    {.names = "glm4v_moe, glm4v_moe_text", .source = Source::v5, .rotary_fraction = 0.5},

    // Neighbouring channels.
    {.names = "cohere", .source = Source::v4, .pairs = RopeLayout::interleaved},
    {.names = "roformer",
     .source = Source::v5,
     .base_key = nullptr,
     .pairs = RopeLayout::interleaved,
     .refused_key = "rotary_value"},
    {.names = "codegen, gptj",
     .source = Source::v4,
     .base_key = nullptr,
     .rotary_dim = 64,
     .pairs = RopeLayout::interleaved},
    {.names = "glm, glm4",
     .source = Source::v4,
     .rotary_fraction = 0.5,
     .pairs = RopeLayout::interleaved},
    {.names = "glm4v, glm4v_text", .source = Source::v4, .pairs = RopeLayout::interleaved},
    {.names = "moonshine",
     .source = Source::v4_v5,
     .rotary_fraction = 0.9,
     .pairs = RopeLayout::interleaved},
    {.names = "helium", .source = Source::v5, .base = 100000, .pairs = RopeLayout::interleaved},
    {.names = "ernie4_5", .source = Source::v4, .base = 500000, .pairs = RopeLayout::interleaved},
    {.names = "ernie4_5_moe",
     .source = Source::v5,
     .base = 500000,
     .pairs = RopeLayout::interleaved},
    {.names = "ernie4_5_moe_vl, ernie4_5_vl_moe, ernie4_5_vl_moe_text",
     .source = Source::v5,
     .base = 500000,
     .pairs = RopeLayout::interleaved,
     .refused =
         "turns pairs by row and column in turn, which no encoding here does; a text alone has "
         "{id: \"rope\", base: 500000, layout: \"interleaved\"}"},

    // Latent attention, with a rotated part.
    {.names = "deepseek_v2",
     .source = Source::v5,
     .pairs = RopeLayout::interleaved,
     .scale = scale_of_latent},
    {.names = "deepseek_v3, glm4_moe_lite",
     .source = Source::v5,
     .pairs = RopeLayout::interleaved,
     .reads_pairs = true,
     .scale = scale_of_latent},
    {.names = "kimi_k2",
     .source = Source::none,
     .pairs = RopeLayout::interleaved,
     .reads_pairs = true,
     .scale = scale_of_latent},
    {.names = "longcat_flash",
     .source = Source::v5,
     .base = 1e7,
     .pairs = RopeLayout::interleaved,
     .scale = scale_of_latent},

    // A separate scale.
    {.names = "granite", .source = Source::v5, .scale = scale_of_granite},
    {.names = "granitemoe", .source = Source::v4, .scale = scale_of_granite},
    {.names = "granitemoehybrid",
     .source = Source::v4_v5,
     .only_with = {"position_embedding_type", "rope"},
     .scale = scale_of_granite},
    {.names = "gemma2", .source = Source::v4, .pattern = {2}, .scale = scale_of_gemma},
    {.names = "zamba2",
     .source = Source::v4_v5,
     .only_with = {"use_mem_rope"},
     .scale = scale_of_zamba2,
     .refused_key = "use_long_context"},

    // Layers that differ.
    {.names = "gemma3, gemma3_text",
     .source = Source::v4,
     .base = 1e6,
     .layers = Layers::local_base,
     .pattern = {6, "sliding_window_pattern"},
     .local_base = 10000,
     .scale = scale_of_gemma},
    {.names = "gemma3n, gemma3n_text",
     .source = Source::v5,
     .base = 1e6,
     .layers = Layers::local_base,
     .pattern = {5},
     .local_base = 10000,
     .scale = scale_of_gemma3n},
    {.names = "modernbert",
     .source = Source::v5,
     .base = 160000,
     .base_key = "global_rope_theta",
     .layers = Layers::scaled_local,
     .pattern = {3, "global_attn_every_n_layers", true},
     .local_base = 10000,
     .local_key = "local_rope_theta",
     .says_absolute = true},
    {.names = "olmo3", .source = Source::v4_v5, .layers = Layers::unscaled, .pattern = {4}},
    {.names = "cohere2",
     .source = Source::v5,
     .pairs = RopeLayout::interleaved,
     .layers = Layers::window_only,
     .pattern = {4, "sliding_window_pattern"}},
    {.names = "exaone4, exaone_moe",
     .source = Source::v5,
     .layers = Layers::window_or_all,
     .pattern = {4, "sliding_window_pattern"}},
    {.names = "llama4, llama4_text",
     .source = Source::v5,
     .base = 500000,
     .pairs = RopeLayout::interleaved,
     .layers = Layers::listed,
     .takes_empty_list = true},
    {.names = "smollm3", .source = Source::v5, .base = 2e6, .layers = Layers::listed},
    {.names = "mllama, mllama_text_model",
     .source = Source::v4,
     .base = 500000,
     .layers = Layers::not_cross},
};

}  // namespace

std::span<const RopeFamily> rope_families() { return kRopeFamilies; }

const RopeFamily* find_rope_family(std::string_view model_type) {
  for (const RopeFamily& family : kRopeFamilies) {
    if (family.names.find(model_type) >= 0) return &family;
  }
  return nullptr;
}

namespace {

// A number above 0, or the default of the family.
double positive_or(ConfigMap& model, const char* key, double default_value) {
  const double* given = positive(model, key, kMaxExtent);
  if (given) return *given;
  model.assume(key, default_value);
  return default_value;
}

}  // namespace

std::optional<double> scale_of_granite(ConfigMap& model, ConfigMap&) {
  return positive_or(model, "attention_multiplier", 1);
}

std::optional<double> scale_of_gemma(ConfigMap& model, ConfigMap&) {
  return 1 / std::sqrt(positive_or(model, "query_pre_attn_scalar", 256));
}

std::optional<double> scale_of_gemma3n(ConfigMap&, ConfigMap&) { return 1; }

// Its heads have twice hidden_size / num_attention_heads channels, because attention has two
// vectors per token side by side.
std::optional<double> scale_of_zamba2(ConfigMap& model, ConfigMap&) {
  return 1 / std::sqrt(positive_or(model, "hidden_size", 2560) /
                       positive_or(model, "num_attention_heads", 32));
}

std::optional<double> scale_of_latent(ConfigMap& model, ConfigMap& rope) {
  const double mscale = rope.number("mscale_all_dim", 0),
               part = model.number("qk_nope_head_dim", 0);
  if (mscale <= 0 || part <= 0) return {};
  const double magnitude = 1 + 0.1 * mscale * std::log(std::max(rope.number("factor", 1), 1.0));
  return magnitude * magnitude / std::sqrt(part + model.number("qk_rope_head_dim", 0));
}

std::optional<double> scale_of_keys(ConfigMap& model, ConfigMap& rope) {
  if (model.has("attention_multiplier")) return scale_of_granite(model, rope);
  if (model.has("query_pre_attn_scalar")) return scale_of_gemma(model, rope);
  return scale_of_latent(model, rope);
}

}  // namespace phasor
