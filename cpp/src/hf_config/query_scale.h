#pragma once
// Readers of the factor on q.k, for models that do not divide by sqrt(head_dim).

#include <optional>

#include "hf_config/family.h"

namespace phasor {

/// The key attention_multiplier, by default 1.
std::optional<double> read_granite_scale(const Family& family, ConfigMap& model, ConfigMap& rope);
/// The key attention_multiplier, by default 1 / 64.
std::optional<double> read_granite_docling_scale(const Family& family, ConfigMap& model,
                                                 ConfigMap& rope);
/// The key attention_multiplier, by default 1 / sqrt(128).
std::optional<double> read_hyperclovax_scale(const Family& family, ConfigMap& model,
                                             ConfigMap& rope);
/// 1 / sqrt(query_pre_attn_scalar), where the key is 256 by default.
std::optional<double> read_gemma_scale(const Family& family, ConfigMap& model, ConfigMap& rope);
std::optional<double> read_unit_scale(const Family& family, ConfigMap& model,
                                      ConfigMap& rope);  ///< 1
/// 1 / sqrt(head_dim / 2)
std::optional<double> read_zamba_scale(const Family& family, ConfigMap& model, ConfigMap& rope);
/// 1 / sqrt(head_dim) times the square of YaRN's mscale, as in DeepSeek
std::optional<double> read_latent_scale(const Family& family, ConfigMap& model, ConfigMap& rope);
/// Like `read_latent_scale`. If there is no scaling dictionary, the factor of YaRN is 128.
std::optional<double> read_mistral4_scale(const Family& family, ConfigMap& model, ConfigMap& rope);
/// key_multiplier / sqrt(head_dim)
std::optional<double> read_falcon_h1_scale(const Family& family, ConfigMap& model, ConfigMap& rope);
/// qk_scale_factor / sqrt(head_dim), where qk_scale_factor is 5.47 by default.
std::optional<double> read_muse_spark_scale(const Family& family, ConfigMap& model,
                                            ConfigMap& rope);
/// qk_scale_factor / sqrt(head_dim), where qk_scale_factor is 3.87 by default.
std::optional<double> read_muse_scale(const Family& family, ConfigMap& model, ConfigMap& rope);

/// For a family that is not listed: determines the scale from the keys in the file.
std::optional<double> read_scale_by_keys(const Family& family, ConfigMap& model, ConfigMap& rope);

}  // namespace phasor
