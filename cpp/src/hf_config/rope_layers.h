#pragma once
// Selects the requested layer of a model whose layers differ.

#include <optional>
#include <string>

#include "hf_config/config_map.h"
#include "hf_config/family.h"
#include "hf_config/layer_types.h"
#include "phasor/hf_config.h"

namespace phasor {

struct Layer {
  bool has_rope = true;
  /// A sliding-window layer in a model that gives such layers their own base or no scaling
  bool local = false;
  bool scaled = true;            ///< false: excluded from the scaling of the other layers
  std::string type{};            ///< "full_attention" ..., where it had to be chosen
  std::optional<double> base{};  ///< this layer's base, if the file lists one per layer
};

/// Selects the layer that `options` names; if it names none, all layers must be alike. If each
/// layer type has a dictionary (version 5), `rope` becomes the dictionary of the layer's type.
/// `family` is nullptr if not listed.
Status choose_layer(const Family* family, const ConfigOptions& options, ConfigMap& model,
                    ConfigMap& rope, Layer& out);

/// Rejects a layer index beyond `count` (0: unknown), and a missing one if it is required.
Status check_layer_idx(const std::optional<int>& layer_idx, double count, bool needed);

/// Rejects a layer_type or stack that the model does not have.
Status check_layer(const std::string& layer_type, ChoiceList layers,
                   const char* name = "layer_type");

}  // namespace phasor
