#pragma once
// Selection of a layer of a model, if layers differ.

#include <string>

#include "hf_config/config_map.h"
#include "hf_config/rope_families.h"
#include "phasor/hf_config.h"

namespace phasor {

/// Types of layers, as spelled in layer_types of a config.json.
inline constexpr const char *kFullAttention = "full_attention",
                            *kSlidingAttention = "sliding_attention";

struct Layer {
  bool has_rope = true;
  /// One with a window, in a model with a separate base or no scaling for those
  bool local = false;
  std::string type{};  ///< "full_attention" ..., where it had to be chosen
};

/// Finds the layer that `options` names; without a name all must be alike. Moves the dictionary of
/// its type out of `rope`, if each type has one, as in version 5. family: nullptr if it is not
/// listed.
Status choose_layer(const RopeFamily* family, const ConfigOptions& options, ConfigMap& model,
                    ConfigMap& rope, Layer& out);

/// Rejects the index of a layer beyond `count` (0: not known) and a missing index if it is
/// required.
Status check_layer_idx(const std::optional<int>& layer_idx, double count, bool needed);

/// Rejects an unknown layer_type, and a stack.
Status check_layer(const std::string& layer_type, ChoiceList layers,
                   const char* name = "layer_type");

}  // namespace phasor
