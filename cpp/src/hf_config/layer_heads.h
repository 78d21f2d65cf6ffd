#pragma once

#include <optional>
#include <string_view>

#include "hf_config/config_map.h"
#include "hf_config/family.h"
#include "phasor/hf_config.h"

namespace phasor {

// Read kv_heads for families that use multi-query attention by default.
std::optional<int> read_falcon_kv_heads(ConfigMap& model, std::optional<int> heads);
std::optional<int> read_multi_query_kv_heads(ConfigMap& model, std::optional<int> heads);

/// Sets heads, kv_heads and head_dim of layer `index`. layer.type must be set. Values missing from
/// the file stay unset, because the defaults of a config class describe one particular model; only
/// kv_heads and head_dim may have a default of the family.
Status read_heads(ConfigMap& model, const Family& family, std::string_view stack, int index,
                  ConfigLayer& layer);

}  // namespace phasor
