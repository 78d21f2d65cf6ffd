// OLMo.

#include "hf_config/family.h"

namespace phasor::families::olmo {

namespace {

constexpr Family kFamilies[] = {
    {.names = "olmo", .year = 2024},
    {.names = "olmo2, olmoe", .year = 2024, .norm = {.over = "all_heads", .eps = 1e-5}},
    {.names = "flex_olmo", .year = 2025, .base = 5e5, .norm = {.over = "all_heads"}},
    {.names = "olmo3",
     .year = 2025,
     .base = 10000,
     .v5_base = 5e5,
     .rotation = RotationRule::unscaled,
     .pattern = {.interval = 4},
     .window = {.layers = LayerWindows::sliding_layers, .size = 4096},
     .norm = {.over = "all_heads", .eps = 1e-5}},
    {.names = "olmo_hybrid",
     .year = 2026,
     .pattern = {.interval = 4, .other_type = "linear_attention"},
     .norm = {.over = "all_heads"}},
    {.names = "molmo2_text",
     .year = 2025,
     .norm = {.over = "head"},
     .norm_type_key = "qk_norm_type",
     .head_dim = 128},
};

}  // namespace

std::span<const Family> list_families() { return kFamilies; }

}  // namespace phasor::families::olmo
