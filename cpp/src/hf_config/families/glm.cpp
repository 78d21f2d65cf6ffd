// GLM.

#include "hf_config/family.h"
#include "hf_config/family_readers.h"

namespace phasor::families::glm {

namespace {

constexpr Family kFamilies[] = {
    {.names = "glm",
     .year = 2024,
     .rotary_fraction = 0.5,
     .layout = RopeLayout::interleaved,
     .head_dim = 128},
    {.names = "glm4",
     .year = 2025,
     .rotary_fraction = 0.5,
     .layout = RopeLayout::interleaved,
     .head_dim = 128},
    {.names = "glm_image_text", .year = 2026},
    {.names = "glm4v_text, glm4v", .year = 2025, .layout = RopeLayout::interleaved},
    {.names = "glm_ocr_text", .year = 2026, .layout = RopeLayout::interleaved},
    {.names = "glm4_moe",
     .year = 2025,
     .rotary_fraction = 0.5,
     .norm = {.over = "head", .eps = 1e-5, .condition = {"use_qk_norm"}}},
    {.names = "glm4v_moe_text, glm4v_moe", .year = 2025, .rotary_fraction = 0.5},
    {.names = "glm5_next_text",
     .year = 2026,
     .is_latent = true,
     .qk_nope_head_dim = 256,
     .qk_rope_head_dim = 0,
     .pattern = {.interval = 4, .other_type = "linear_attention"},
     .read_positions = read_none},
    {.names = "glm5_next",
     .year = 2026,
     .is_latent = true,
     .qk_nope_head_dim = 128,
     .qk_rope_head_dim = 64,
     .pattern = {.interval = 4, .other_type = "linear_attention"},
     .read_positions = read_none},
};

}  // namespace

std::span<const Family> list_families() { return kFamilies; }

}  // namespace phasor::families::glm
