#include "hf_config/query_scale.h"

#include <algorithm>
#include <cmath>

#include "core/format_error.h"
#include "hf_config/rope_scaling_types.h"

namespace phasor {

namespace {

// A number above 0, or the default of the family.
double positive_or(Dictionary& model, const char* key, double default_value) {
  const double* given = positive(model, key, kMaxExtent);
  if (given) return *given;
  model.assume(key, default_value);
  return default_value;
}

}  // namespace

std::optional<double> scale_of_granite(Dictionary& model, Dictionary&) {
  return positive_or(model, "attention_multiplier", 1);
}

std::optional<double> scale_of_gemma(Dictionary& model, Dictionary&) {
  return 1 / std::sqrt(positive_or(model, "query_pre_attn_scalar", 256));
}

std::optional<double> scale_of_gemma3n(Dictionary&, Dictionary&) { return 1; }

// Its heads are twice as wide as hidden_size / num_attention_heads, because attention sees two
// vectors per token side by side.
std::optional<double> scale_of_zamba2(Dictionary& model, Dictionary&) {
  return 1 / std::sqrt(positive_or(model, "hidden_size", 2560) /
                       positive_or(model, "num_attention_heads", 32));
}

std::optional<double> scale_of_latent(Dictionary& model, Dictionary& rope) {
  const double mscale = rope.number("mscale_all_dim", 0),
               part = model.number("qk_nope_head_dim", 0);
  if (mscale <= 0 || part <= 0) return {};
  const double magnitude = 1 + 0.1 * mscale * std::log(std::max(rope.number("factor", 1), 1.0));
  return magnitude * magnitude / std::sqrt(part + model.number("qk_rope_head_dim", 0));
}

std::optional<double> scale_of_keys(Dictionary& model, Dictionary& rope) {
  if (model.has("attention_multiplier")) return scale_of_granite(model, rope);
  if (model.has("query_pre_attn_scalar")) return scale_of_gemma(model, rope);
  return scale_of_latent(model, rope);
}

}  // namespace phasor
