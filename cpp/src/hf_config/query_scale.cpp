#include "hf_config/query_scale.h"

#include <algorithm>
#include <cmath>

#include "core/format_error.h"
#include "hf_config/rope_scaling_types.h"

namespace phasor {

namespace {

double read_positive_or(ConfigMap& model, const char* key, double default_value) {
  const double* value = read_positive(model, key, kMaxExtent);
  if (value) return *value;
  model.assume(key, default_value);
  return default_value;
}

double read_head_dim(const Family& family, ConfigMap& model) {
  if (model.has("head_dim")) return read_positive_or(model, "head_dim", 1);
  if (family.head_dim > 0) return read_positive_or(model, "head_dim", family.head_dim);
  return read_positive_or(model, "hidden_size", 4096) /
         read_positive_or(model, "num_attention_heads", 32);
}

double compute_latent_scale(double head_dim, double factor, double mscale) {
  const double magnitude = 1 + 0.1 * mscale * std::log(std::max(factor, 1.0));
  return magnitude * magnitude / std::sqrt(head_dim);
}

double read_latent_dim(const Family& family, ConfigMap& model) {
  return model.number("qk_nope_head_dim", family.qk_nope_head_dim) +
         model.number("qk_rope_head_dim", family.qk_rope_head_dim);
}

}  // namespace

std::optional<double> read_granite_scale(const Family&, ConfigMap& model, ConfigMap&) {
  return read_positive_or(model, "attention_multiplier", 1);
}

std::optional<double> read_granite_docling_scale(const Family&, ConfigMap& model, ConfigMap&) {
  return read_positive_or(model, "attention_multiplier", 1.0 / 64);
}

std::optional<double> read_hyperclovax_scale(const Family&, ConfigMap& model, ConfigMap&) {
  return read_positive_or(model, "attention_multiplier", 1 / std::sqrt(128.0));
}

std::optional<double> read_gemma_scale(const Family&, ConfigMap& model, ConfigMap&) {
  return 1 / std::sqrt(read_positive_or(model, "query_pre_attn_scalar", 256));
}

std::optional<double> read_unit_scale(const Family&, ConfigMap&, ConfigMap&) { return 1; }

std::optional<double> read_muse_scale(const Family& family, ConfigMap& model, ConfigMap&) {
  return read_positive_or(model, "qk_scale_factor", 3.87) / std::sqrt(read_head_dim(family, model));
}

std::optional<double> read_muse_spark_scale(const Family& family, ConfigMap& model, ConfigMap&) {
  return read_positive_or(model, "qk_scale_factor", 5.4730064863875) /
         std::sqrt(read_head_dim(family, model));
}

std::optional<double> read_falcon_h1_scale(const Family& family, ConfigMap& model, ConfigMap&) {
  if (!model.has("key_multiplier") || model.number("key_multiplier", 1) == 1) return {};
  return read_positive_or(model, "key_multiplier", 1) / std::sqrt(read_head_dim(family, model));
}

// Zamba's attention reads two concatenated vectors per token, so its heads have twice as many
// channels as hidden_size / num_attention_heads.
std::optional<double> read_zamba_scale(const Family&, ConfigMap& model, ConfigMap&) {
  return 1 / std::sqrt(read_positive_or(model, "hidden_size", 2560) /
                       read_positive_or(model, "num_attention_heads", 32));
}

std::optional<double> read_latent_scale(const Family& family, ConfigMap& model, ConfigMap& rope) {
  const double mscale = rope.number("mscale_all_dim", 0), dim = read_latent_dim(family, model);
  if (mscale <= 0 || dim <= 0 || (!model.has("qk_nope_head_dim") && family.qk_nope_head_dim == 0))
    return {};
  return compute_latent_scale(dim, rope.number("factor", 1), mscale);
}

std::optional<double> read_mistral4_scale(const Family& family, ConfigMap& model, ConfigMap& rope) {
  return rope.entries.empty() ? compute_latent_scale(read_latent_dim(family, model), 128, 1)
                              : read_latent_scale(family, model, rope);
}

std::optional<double> read_scale_by_keys(const Family& family, ConfigMap& model, ConfigMap& rope) {
  if (model.has("attention_multiplier")) return read_granite_scale(family, model, rope);
  if (model.has("query_pre_attn_scalar")) return read_gemma_scale(family, model, rope);
  return read_latent_scale(family, model, rope);
}

}  // namespace phasor
