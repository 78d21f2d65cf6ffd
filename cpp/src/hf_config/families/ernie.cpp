// ERNIE 4.5.

#include "hf_config/family.h"

namespace phasor::families::ernie {

namespace {

constexpr Family kFamilies[] = {
    {.names = "ernie4_5",
     .year = 2025,
     .base = 5e5,
     .layout = RopeLayout::interleaved,
     .head_dim = 128},
    {.names = "ernie4_5_moe", .year = 2025, .base = 5e5, .layout = RopeLayout::interleaved},
    {.names = "paddleocr_vl_text",
     .year = 2025,
     .base = 5e5,
     .sections = Sections::contiguous,
     .head_dim = 128},
    // Pairs alternate between row and column. The last pairs use the time.
    {.names = "ernie4_5_vl_moe_text, ernie4_5_vl_moe, ernie4_5_moe_vl",
     .year = 2025,
     .source_version = TransformersVersion::v5,
     .base = 500000,
     .layout = RopeLayout::interleaved,
     .sections = Sections::video,
     .section_sizes = {22, 22, 20}},
};

}  // namespace

std::span<const Family> list_families() { return kFamilies; }

}  // namespace phasor::families::ernie
