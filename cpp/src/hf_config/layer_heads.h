#pragma once
// The heads of a layer, as far as its file says how many there are and of how many channels.

#include <optional>
#include <string_view>

#include "hf_config/config_map.h"
#include "hf_config/family.h"
#include "phasor/hf_config.h"

namespace phasor {

// Families whose keys and values have one head unless a switch says otherwise.
std::optional<int> kv_heads_of_falcon(ConfigMap& model, std::optional<int> heads);
std::optional<int> kv_heads_of_multi_query(ConfigMap& model, std::optional<int> heads);

/// Sets heads, kv_heads and head_dim of layer `index` of the stack, whose type is known. A number
/// that the file leaves out is left out here too: defaults of config classes are sizes of one
/// model.
Status read_heads(ConfigMap& model, const Family& family, std::string_view stack, int index,
                  ConfigLayer& layer);

}  // namespace phasor
