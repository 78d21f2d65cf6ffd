// Hunyuan, MiniMax and other models with identical layers and QK norm.

#include "hf_config/family.h"

namespace phasor::families::hunyuan {

namespace {

constexpr Family kFamilies[] = {
    {.names = "hunyuan_v1_dense, hunyuan_v1_moe",
     .year = 2025,
     .norm = {.over = "head", .order = "after_encoding", .eps = 1e-5}},
    {.names = "hy_v3",
     .year = 2026,
     .base = 11158840,
     .norm = {.over = "head", .eps = 1e-5},
     .head_dim = 128},
    {.names = "minimax_m2",
     .year = 2025,
     .base = 5e6,
     .reads_rotary_dim = true,
     .norm = {.over = "all_heads"},
     .head_dim = 128},
    {.names = "minimax_m3_vl_text",
     .year = 2026,
     .base = 5e6,
     .rotary_dim = 64,
     .norm = {.over = "head", .weight_form = "one_plus"},
     .head_dim = 128},
};

}  // namespace

std::span<const Family> list_families() { return kFamilies; }

}  // namespace phasor::families::hunyuan
