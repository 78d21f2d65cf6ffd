#pragma once
// The factor on q.k of models that do not divide by the square root of the width of a head.

#include <optional>

#include "hf_config/config_map.h"

namespace phasor {

/// From the model's file and its rope_scaling or rope_parameters; nothing where it is 1 /
/// sqrt(width).
using QueryScale = std::optional<double> (*)(Dictionary& model, Dictionary& rope);

/// attention_multiplier
std::optional<double> scale_of_granite(Dictionary& model, Dictionary& rope);
/// 1 / sqrt(query_pre_attn_scalar)
std::optional<double> scale_of_gemma(Dictionary& model, Dictionary& rope);
std::optional<double> scale_of_gemma3n(Dictionary& model, Dictionary& rope);  ///< 1
/// 1 / sqrt(half the width of a head)
std::optional<double> scale_of_zamba2(Dictionary& model, Dictionary& rope);
/// YaRN's magnitude, as DeepSeek has it
std::optional<double> scale_of_latent(Dictionary& model, Dictionary& rope);

/// Of a file whose family is not listed: what its keys say.
std::optional<double> scale_of_keys(Dictionary& model, Dictionary& rope);

}  // namespace phasor
