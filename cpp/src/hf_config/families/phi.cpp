// Models that rotate only a part of each head.

#include "hf_config/family.h"

namespace phasor::families::phi {

namespace {

constexpr Family kFamilies[] = {
    {.names = "phi",
     .year = 2023,
     .rotary_fraction = 0.5,
     .norm = {.over = "head",
              .eps = 1e-5,
              .eps_key = "layer_norm_eps",
              .norm_type = "layer",
              .condition = {"qk_layernorm"}}},
    {.names = "stablelm",
     .year = 2024,
     .rotary_fraction = 0.25,
     .norm = {.over = "head",
              .eps = 1e-5,
              .eps_key = "layer_norm_eps",
              .norm_type = "layer",
              .condition = {"qk_layernorm"}}},
    {.names = "persimmon",
     .year = 2023,
     .base = 25000,
     .v5_base = 10000,
     .rotary_fraction = 0.5,
     .norm = {.over = "head",
              .eps = 1e-5,
              .eps_key = "layer_norm_eps",
              .norm_type = "layer",
              .condition = {"qk_layernorm", nullptr, true}}},
    {.names = "fuyu",
     .year = 2023,
     .base = 25000,
     .v5_base = 10000,
     .rotary_fraction = 0.5,
     .norm = {.over = "head",
              .eps = 1e-5,
              .eps_key = "layer_norm_eps",
              .norm_type = "layer",
              .condition = {"qk_layernorm", nullptr, true}}},
    {.names = "nemotron", .year = 2024, .rotary_fraction = 0.5},
    {.names = "sarvam_moe",
     .year = 2026,
     .base = 8e6,
     .norm = {.over = "head", .condition = {"use_qk_norm", nullptr, true}},
     .head_dim = 64},
};

}  // namespace

std::span<const Family> list_families() { return kFamilies; }

}  // namespace phasor::families::phi
