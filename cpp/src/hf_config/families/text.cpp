// Text towers of image-text models, and other families whose positions are a learned or computed
// table.

#include "hf_config/family.h"
#include "hf_config/family_readers.h"

namespace phasor::families::text {

namespace {

constexpr Family kFamilies[] = {
    {.names = "siglip_text_model",
     .year = 2022,
     .is_causal = false,
     .read_positions = read_learned,
     .length = {"max_position_embeddings", 64}},
    {.names = "siglip2_text_model",
     .year = 2025,
     .is_causal = false,
     .read_positions = read_learned,
     .length = {"max_position_embeddings", 64}},
    {.names = "clip_text_model, clipseg_text_model",
     .year = 2021,
     .read_positions = read_learned,
     .length = {"max_position_embeddings", 77}},
    {.names = "groupvit_text_model, xclip_text_model",
     .year = 2022,
     .read_positions = read_learned,
     .length = {"max_position_embeddings", 77}},
    {.names = "metaclip_2_text_model",
     .year = 2025,
     .read_positions = read_learned,
     .length = {"max_position_embeddings", 77}},
    {.names = "aimv2_text_model",
     .year = 2024,
     .read_positions = read_learned,
     .length = {"max_position_embeddings", 77}},
    {.names = "owlvit_text_model",
     .year = 2022,
     .read_positions = read_learned,
     .length = {"max_position_embeddings", 16}},
    {.names = "owlv2_text_model",
     .year = 2023,
     .read_positions = read_learned,
     .length = {"max_position_embeddings", 16}},
    {.names = "altclip_text_model, bridgetower_text_model, clap_text_model",
     .year = 2022,
     .is_causal = false,
     .read_positions = read_learned,
     .length = {"max_position_embeddings", 514},
     .starts_after_padding = true,
     .position_id_mode = PositionIdMode::opt},
    {.names = "pix2struct_text_model", .year = 2022, .read_positions = read_t5},
    {.names = "trocr",
     .year = 2021,
     .read_positions = read_learned,
     .length = {"max_position_embeddings", 512},
     .row_offset = 2},
    {.names = "kosmos_2_text_model",
     .year = 2023,
     .read_positions = read_sinusoids,
     .starts_after_padding = true,
     .position_id_mode = PositionIdMode::fairseq,
     .frequencies = "fairseq"},
    {.names = "kosmos_2_5_text_model",
     .year = 2024,
     .read_positions = read_sinusoids,
     .starts_after_padding = true,
     .position_id_mode = PositionIdMode::fairseq,
     .frequencies = "fairseq"},
};

}  // namespace

std::span<const Family> list_families() { return kFamilies; }

}  // namespace phasor::families::text
