// Text towers of models that compare texts with images, and tables of their own.

#include "hf_config/family.h"
#include "hf_config/family_readers.h"

namespace phasor::families::text {

namespace {

constexpr Family kFamilies[] = {
    {.names = "siglip_text_model, siglip2_text_model",
     .year = 2026,
     .causal = false,
     .read = read_learned,
     .length = {"max_position_embeddings", 64}},
    {.names = "clip_text_model",
     .year = 2026,
     .read = read_learned,
     .length = {"max_position_embeddings", 77}},
};

}  // namespace

std::span<const Family> all() { return kFamilies; }

}  // namespace phasor::families::text
