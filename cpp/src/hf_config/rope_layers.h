#pragma once
// Selects the requested layer of a model whose layers differ.

#include <optional>
#include <string>

#include "hf_config/config_map.h"
#include "hf_config/family.h"
#include "hf_config/layer_types.h"
#include "phasor/hf_config.h"

namespace phasor {

struct RopeLayer {
  bool has_rope = true;
  /// A sliding-window layer with a separate base or without scaling
  bool is_local = false;
  bool is_scaled = true;         ///< the common scaling applies to the layer
  std::string type{};            ///< "full_attention" ..., if layers differ by type
  std::optional<double> base{};  ///< the layer's base, if the file lists one base per layer
};

/// Selects the layer of `options`; without one, all layers must be alike. If layer types have
/// separate dictionaries (version 5), replaces `rope` by that of the layer's type. `family` may be
/// nullptr.
Status choose_layer(const Family* family, const ConfigOptions& options, ConfigMap& model,
                    ConfigMap& rope, RopeLayer& out);

/// Rejects an index of `count` or more, and a missing index if it is required. A count of 0 means
/// unknown.
Status check_layer_idx(const std::optional<int>& layer_idx, double count, bool is_required);

/// Rejects a layer_type or stack that the model does not have.
Status check_layer_choice(const std::string& layer_type, ChoiceList layers,
                          const char* name = "layer_type");

}  // namespace phasor
