// EXAONE.

#include "hf_config/family.h"

namespace phasor::families::exaone {

namespace {

constexpr Family kFamilies[] = {
    {.names = "exaone4",
     .year = 2025,
     .rotation = RotationRule::window_or_all,
     .pattern = {.interval = 4, .key = "sliding_window_pattern"},
     .window = {.layers = LayerWindows::sliding_layers, .size = 4096},
     .norm = {.over = "head", .eps = 1e-5}},
    {.names = "exaone_moe",
     .year = 2026,
     .rotation = RotationRule::window_or_all,
     .pattern = {.interval = 4, .key = "sliding_window_pattern"},
     .window = {.layers = LayerWindows::sliding_layers, .size = 4096},
     .norm = {.over = "head", .eps = 1e-5}},
    {.names = "kolibri1",
     .year = 2026,
     .rotation = RotationRule::window_or_all,
     .pattern = {.interval = 5},
     .window = {.layers = LayerWindows::sliding_layers, .size = 513},
     .norm = {.over = "head"},
     .head_dim = 128},
};

}  // namespace

std::span<const Family> list_families() { return kFamilies; }

}  // namespace phasor::families::exaone
