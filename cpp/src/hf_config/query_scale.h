#pragma once
// Functions that read the attention scale, the factor on q.k. nullopt means 1 / sqrt(head_dim).

#include <optional>

#include "hf_config/family.h"

namespace phasor {

/// attention_multiplier, which defaults to 1
std::optional<double> read_granite_scale(const Family& family, ConfigMap& model, ConfigMap& rope);
/// attention_multiplier, which defaults to 1 / 64
std::optional<double> read_granite_docling_scale(const Family& family, ConfigMap& model,
                                                 ConfigMap& rope);
/// attention_multiplier, which defaults to 1 / sqrt(128)
std::optional<double> read_hyperclovax_scale(const Family& family, ConfigMap& model,
                                             ConfigMap& rope);
/// 1 / sqrt(query_pre_attn_scalar), where query_pre_attn_scalar defaults to 256
std::optional<double> read_gemma_scale(const Family& family, ConfigMap& model, ConfigMap& rope);
std::optional<double> read_unit_scale(const Family& family, ConfigMap& model,
                                      ConfigMap& rope);  ///< 1
/// 1 / sqrt(head_dim / 2)
std::optional<double> read_zamba_scale(const Family& family, ConfigMap& model, ConfigMap& rope);
/// (1 + 0.1 mscale_all_dim ln(factor))^2 / sqrt(head_dim), as in DeepSeek
std::optional<double> read_latent_scale(const Family& family, ConfigMap& model, ConfigMap& rope);
/// Like `read_latent_scale`. Without a RoPE dictionary, YaRN's scaling factor is 128.
std::optional<double> read_mistral4_scale(const Family& family, ConfigMap& model, ConfigMap& rope);
/// key_multiplier / sqrt(head_dim)
std::optional<double> read_falcon_h1_scale(const Family& family, ConfigMap& model, ConfigMap& rope);
/// qk_scale_factor / sqrt(head_dim), where qk_scale_factor defaults to 5.47
std::optional<double> read_muse_spark_scale(const Family& family, ConfigMap& model,
                                            ConfigMap& rope);
/// qk_scale_factor / sqrt(head_dim), where qk_scale_factor defaults to 3.87
std::optional<double> read_muse_scale(const Family& family, ConfigMap& model, ConfigMap& rope);

/// Selects one of the readers above by the keys in the file, for unlisted families.
std::optional<double> read_scale_by_keys(const Family& family, ConfigMap& model, ConfigMap& rope);

}  // namespace phasor
