// Cohere.

#include "hf_config/family.h"

namespace phasor::families::cohere {

namespace {

constexpr Family kFamilies[] = {
    {.names = "cohere",
     .year = 2024,
     .source_version = TransformersVersion::v4,
     .base = 10000,
     .v5_base = 5e5,
     .layout = RopeLayout::interleaved,
     .norm = {.over = "head",
              .eps = 1e-5,
              .eps_key = "layer_norm_eps",
              .norm_type = "layer",
              .condition = {"use_qk_norm"}}},
    {.names = "cohere2",
     .year = 2024,
     .layout = RopeLayout::interleaved,
     .rotation = RotationRule::window_only,
     .pattern = {.interval = 4, .key = "sliding_window_pattern"},
     .window = {.layers = LayerWindows::sliding_layers, .size = 4096}},
    {.names = "cohere2_moe",
     .year = 2026,
     .layout = RopeLayout::interleaved,
     .rotation = RotationRule::window_only,
     .dense_layers_rotate = true,
     .pattern = {.interval = 4, .key = "sliding_window_pattern"},
     .window = {.layers = LayerWindows::sliding_layers, .size = 4096}},
};

}  // namespace

std::span<const Family> list_families() { return kFamilies; }

}  // namespace phasor::families::cohere
