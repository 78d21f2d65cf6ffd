// Families of transformers that no encoding here supports.

#include "hf_config/family.h"

namespace phasor::families::unknown {

namespace {

constexpr Family kFamilies[] = {
    {.names = "inkling_text, inkling2_text, inkling2_loop_text",
     .year = 2026,
     .unsupported =
         "adds learned terms of content and distance to its scores, which no encoding supports",
     .head_dim = 128},
    {.names = "inkling_mm_model, inkling2, inkling2_loop",
     .year = 2026,
     .unsupported =
         "adds learned terms of content and distance to its scores, which no encoding supports"},
    {.names = "zaya",
     .year = 2026,
     .unsupported = "computes its queries and keys by convolutions, which are not supported",
     .base = 5e6,
     .rotary_fraction = 0.5,
     .local_base = 10000,
     .head_dim = 128},
    {.names = "doge",
     .year = 2024,
     .unsupported = "adds learned terms of the content to its scores, which no encoding supports"},
};

}  // namespace

std::span<const Family> list_families() { return kFamilies; }

}  // namespace phasor::families::unknown
