#pragma once
// Reads the number and size of a layer's heads, as far as the file specifies them.

#include <optional>
#include <string_view>

#include "hf_config/config_map.h"
#include "hf_config/family.h"
#include "phasor/hf_config.h"

namespace phasor {

// Multi-query attention unless a switch changes it (Falcon).
std::optional<int> kv_heads_of_falcon(ConfigMap& model, std::optional<int> heads);
std::optional<int> kv_heads_of_multi_query(ConfigMap& model, std::optional<int> heads);

/// Sets heads, kv_heads and head_dim of layer `index` of the stack, whose type is known. Missing
/// numbers stay absent: defaults of config classes are the sizes of one particular model.
Status read_heads(ConfigMap& model, const Family& family, std::string_view stack, int index,
                  ConfigLayer& layer);

}  // namespace phasor
