#pragma once
// The factor on q.k of models that do not divide by the square root of head_dim.

#include <optional>

#include "hf_config/family.h"

namespace phasor {

/// attention_multiplier, 1 by default
std::optional<double> scale_of_granite(const Family& family, ConfigMap& model, ConfigMap& rope);
/// The same, 1 / 64 by default
std::optional<double> scale_of_granite_docling(const Family& family, ConfigMap& model,
                                               ConfigMap& rope);
/// The same, 1 / sqrt(128) by default
std::optional<double> scale_of_hyperclovax(const Family& family, ConfigMap& model, ConfigMap& rope);
/// 1 / sqrt(query_pre_attn_scalar), 256 by default
std::optional<double> scale_of_gemma(const Family& family, ConfigMap& model, ConfigMap& rope);
std::optional<double> scale_of_one(const Family& family, ConfigMap& model, ConfigMap& rope);  ///< 1
/// 1 / sqrt(half of head_dim)
std::optional<double> scale_of_zamba(const Family& family, ConfigMap& model, ConfigMap& rope);
/// YaRN's magnitude, as DeepSeek has it
std::optional<double> scale_of_latent(const Family& family, ConfigMap& model, ConfigMap& rope);
/// The same, of a file without scaling by 128
std::optional<double> scale_of_mistral4(const Family& family, ConfigMap& model, ConfigMap& rope);
/// key_multiplier / sqrt(head_dim)
std::optional<double> scale_of_falcon_h1(const Family& family, ConfigMap& model, ConfigMap& rope);
/// qk_scale_factor, 5.47 by default, / sqrt(head_dim)
std::optional<double> scale_of_muse_spark(const Family& family, ConfigMap& model, ConfigMap& rope);
/// The same, 3.87 by default
std::optional<double> scale_of_muse(const Family& family, ConfigMap& model, ConfigMap& rope);

/// Of a file whose family is not listed, from its keys.
std::optional<double> scale_of_keys(const Family& family, ConfigMap& model, ConfigMap& rope);

}  // namespace phasor
