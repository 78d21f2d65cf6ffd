#pragma once
// Families of models whose layers are listed one by one. docs/models.md is generated from this
// table.

#include <cstdint>
#include <span>
#include <string_view>

#include "phasor/params.h"

namespace phasor {

/// Which layers have a window.
enum class LayerWindows : std::uint8_t {
  none,
  typed,      ///< those of the type sliding_attention, by layer_types or the pattern of the family
  later,      ///< where use_sliding_window is true, those from max_window_layers on
  unrotated,  ///< where use_sliding_window is true, those that do not turn
  chunked,    ///< those that turn, within chunks
};

/// The norm of queries and keys of a family: a name of LayerQkNorm; nullptr: none.
struct QkNormRule {
  const char* over = nullptr;
  const char* weight_form = nullptr;
  const char* order = nullptr;
  double eps = 0;                    ///< where rms_norm_eps is not in the file
  const char* switch_key = nullptr;  ///< only where it is not false, and in layers that turn
};

struct LayerFamily {
  ChoiceList names{};  ///< model_type
  LayerWindows windows = LayerWindows::none;
  double window = 0;   ///< where sliding_window is not in the file; 0: there is none
  double softcap = 0;  ///< where attn_logit_softcapping is not in the file; 0: not read
  bool sinks = false;
  bool latent = false;  ///< content before the channels that turn, in one head
  QkNormRule norm{};
};

/// All of them.
std::span<const LayerFamily> layer_families();

/// The family of this model_type; nullptr if it is not listed.
const LayerFamily* find_layer_family(std::string_view model_type);

}  // namespace phasor
