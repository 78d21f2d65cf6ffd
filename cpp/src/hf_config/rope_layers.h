#pragma once
// Which layer of a model is meant, where layers differ.

#include <optional>
#include <string>

#include "hf_config/config_map.h"
#include "hf_config/family.h"
#include "hf_config/layer_types.h"
#include "phasor/hf_config.h"

namespace phasor {

struct Layer {
  bool has_rope = true;
  /// One with a window, in a model where those have a base of their own or no scaling
  bool local = false;
  bool scaled = true;            ///< false: without the scaling of all others
  std::string type{};            ///< "full_attention" ..., where it had to be chosen
  std::optional<double> base{};  ///< of this layer alone, where the file lists one per layer
};

/// Finds the layer that `options` name; where they name none, all must be alike. Moves the
/// dictionary of its type out of `rope`, if that has one for each type, as version 5 writes it.
/// family: nullptr where it is not listed.
Status choose_layer(const Family* family, const ConfigOptions& options, ConfigMap& model,
                    ConfigMap& rope, Layer& out);

/// Rejects the number of a layer that a model of `count` does not have (0: not known) and, where it
/// is needed, a missing one.
Status check_layer_idx(const std::optional<int>& layer_idx, double count, bool needed);

/// Rejects a layer_type or a stack that the model does not have.
Status check_layer(const std::string& layer_type, ChoiceList layers,
                   const char* name = "layer_type");

}  // namespace phasor
