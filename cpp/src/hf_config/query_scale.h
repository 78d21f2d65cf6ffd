#pragma once
// Readers of the factor on q.k, for models that do not divide by sqrt(head_dim).

#include <optional>

#include "hf_config/family.h"

namespace phasor {

/// attention_multiplier; default 1
std::optional<double> scale_of_granite(const Family& family, ConfigMap& model, ConfigMap& rope);
/// attention_multiplier; default 1 / 64
std::optional<double> scale_of_granite_docling(const Family& family, ConfigMap& model,
                                               ConfigMap& rope);
/// attention_multiplier; default 1 / sqrt(128)
std::optional<double> scale_of_hyperclovax(const Family& family, ConfigMap& model, ConfigMap& rope);
/// 1 / sqrt(query_pre_attn_scalar); default 256
std::optional<double> scale_of_gemma(const Family& family, ConfigMap& model, ConfigMap& rope);
std::optional<double> scale_of_one(const Family& family, ConfigMap& model, ConfigMap& rope);  ///< 1
/// 1 / sqrt(head_dim / 2)
std::optional<double> scale_of_zamba(const Family& family, ConfigMap& model, ConfigMap& rope);
/// includes YaRN's mscale, as in DeepSeek
std::optional<double> scale_of_latent(const Family& family, ConfigMap& model, ConfigMap& rope);
/// the same; without a scaling dictionary its factor is 128
std::optional<double> scale_of_mistral4(const Family& family, ConfigMap& model, ConfigMap& rope);
/// key_multiplier / sqrt(head_dim)
std::optional<double> scale_of_falcon_h1(const Family& family, ConfigMap& model, ConfigMap& rope);
/// qk_scale_factor / sqrt(head_dim); default 5.47
std::optional<double> scale_of_muse_spark(const Family& family, ConfigMap& model, ConfigMap& rope);
/// qk_scale_factor / sqrt(head_dim); default 3.87
std::optional<double> scale_of_muse(const Family& family, ConfigMap& model, ConfigMap& rope);

/// for unlisted families, from the keys of the file
std::optional<double> scale_of_keys(const Family& family, ConfigMap& model, ConfigMap& rope);

}  // namespace phasor
