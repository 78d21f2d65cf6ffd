#include "hf_config/query_scale.h"

#include <algorithm>
#include <cmath>

#include "core/format_error.h"
#include "hf_config/rope_scaling_types.h"

namespace phasor {

namespace {

// A positive number, or the family's default.
double positive_or(ConfigMap& model, const char* key, double default_value) {
  const double* given = positive(model, key, kMaxExtent);
  if (given) return *given;
  model.assume(key, default_value);
  return default_value;
}

double heads_dim(const Family& family, ConfigMap& model) {
  if (model.has("head_dim")) return positive_or(model, "head_dim", 1);
  if (family.head_dim > 0) return positive_or(model, "head_dim", family.head_dim);
  return positive_or(model, "hidden_size", 4096) / positive_or(model, "num_attention_heads", 32);
}

double of_latent(double head_dim, double factor, double mscale) {
  const double magnitude = 1 + 0.1 * mscale * std::log(std::max(factor, 1.0));
  return magnitude * magnitude / std::sqrt(head_dim);
}

double latent_dim(const Family& family, ConfigMap& model) {
  return model.number("qk_nope_head_dim", family.qk_nope_head_dim) +
         model.number("qk_rope_head_dim", family.qk_rope_head_dim);
}

}  // namespace

std::optional<double> scale_of_granite(const Family&, ConfigMap& model, ConfigMap&) {
  return positive_or(model, "attention_multiplier", 1);
}

std::optional<double> scale_of_granite_docling(const Family&, ConfigMap& model, ConfigMap&) {
  return positive_or(model, "attention_multiplier", 1.0 / 64);
}

std::optional<double> scale_of_hyperclovax(const Family&, ConfigMap& model, ConfigMap&) {
  return positive_or(model, "attention_multiplier", 1 / std::sqrt(128.0));
}

std::optional<double> scale_of_gemma(const Family&, ConfigMap& model, ConfigMap&) {
  return 1 / std::sqrt(positive_or(model, "query_pre_attn_scalar", 256));
}

std::optional<double> scale_of_one(const Family&, ConfigMap&, ConfigMap&) { return 1; }

std::optional<double> scale_of_muse(const Family& family, ConfigMap& model, ConfigMap&) {
  return positive_or(model, "qk_scale_factor", 3.87) / std::sqrt(heads_dim(family, model));
}

std::optional<double> scale_of_muse_spark(const Family& family, ConfigMap& model, ConfigMap&) {
  return positive_or(model, "qk_scale_factor", 5.4730064863875) /
         std::sqrt(heads_dim(family, model));
}

std::optional<double> scale_of_falcon_h1(const Family& family, ConfigMap& model, ConfigMap&) {
  if (!model.has("key_multiplier") || model.number("key_multiplier", 1) == 1) return {};
  return positive_or(model, "key_multiplier", 1) / std::sqrt(heads_dim(family, model));
}

// Zamba's heads have twice hidden_size / num_attention_heads channels, because attention reads two
// concatenated vectors per token.
std::optional<double> scale_of_zamba(const Family&, ConfigMap& model, ConfigMap&) {
  return 1 / std::sqrt(positive_or(model, "hidden_size", 2560) /
                       positive_or(model, "num_attention_heads", 32));
}

std::optional<double> scale_of_latent(const Family& family, ConfigMap& model, ConfigMap& rope) {
  const double mscale = rope.number("mscale_all_dim", 0), dim = latent_dim(family, model);
  if (mscale <= 0 || dim <= 0 || (!model.has("qk_nope_head_dim") && family.qk_nope_head_dim == 0))
    return {};
  return of_latent(dim, rope.number("factor", 1), mscale);
}

std::optional<double> scale_of_mistral4(const Family& family, ConfigMap& model, ConfigMap& rope) {
  return rope.entries.empty() ? of_latent(latent_dim(family, model), 128, 1)
                              : scale_of_latent(family, model, rope);
}

std::optional<double> scale_of_keys(const Family& family, ConfigMap& model, ConfigMap& rope) {
  if (model.has("attention_multiplier")) return scale_of_granite(family, model, rope);
  if (model.has("query_pre_attn_scalar")) return scale_of_gemma(family, model, rope);
  return scale_of_latent(family, model, rope);
}

}  // namespace phasor
