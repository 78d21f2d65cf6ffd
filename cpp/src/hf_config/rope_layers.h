#pragma once
// Determines how the requested layer rotates, for models whose layers differ.

#include <optional>
#include <string>

#include "hf_config/config_map.h"
#include "hf_config/family.h"
#include "hf_config/layer_types.h"
#include "phasor/hf_config.h"

namespace phasor {

struct RopeLayer {
  bool has_rope = true;
  /// True for sliding-window layers with their own base or without scaling
  bool is_local = false;
  bool is_scaled = true;         ///< whether the model's scaling applies to the layer
  std::string type{};            ///< such as "full_attention", if layers differ by type
  std::optional<double> base{};  ///< the layer's base, if the file lists one per layer
};

/// Selects the layer that `options` requests. If it requests none, all layers must be alike. If
/// each layer type has its own dictionary (transformers 5), replaces `rope` with the dictionary of
/// the layer's type. `family` may be nullptr.
Status choose_layer(const Family* family, const ConfigOptions& options, ConfigMap& model,
                    ConfigMap& rope, RopeLayer& out);

/// Rejects an index that is negative or at least `count`, and a missing index if `is_required` is
/// true. `count` is 0 if the number of layers is unknown.
Status check_layer_idx(const std::optional<int>& layer_idx, double count, bool is_required);

/// Rejects a layer_type or stack that the model does not have.
Status check_layer_choice(const std::string& layer_type, ChoiceList layers,
                          const char* name = "layer_type");

}  // namespace phasor
