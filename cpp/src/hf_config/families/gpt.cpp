// GPT and open models derived from it.

#include "hf_config/family.h"
#include "hf_config/family_readers.h"
#include "hf_config/layer_heads.h"
#include "hf_config/layer_types.h"

namespace phasor::families::gpt {

namespace {

constexpr Family kFamilies[] = {
    {.names = "gpt2",
     .year = 2019,
     .source = Source::v4_v5,
     .read = read_gpt2,
     .length = {"n_positions", 1024}},
    {.names = "gpt-sw3",
     .year = 2022,
     .source = Source::v4_v5,
     .read = read_gpt2,
     .length = {"n_positions", 1024}},
    {.names = "decision_transformer",
     .year = 2021,
     .source = Source::v4_v5,
     .read = read_gpt2,
     .length = {"n_positions", 1024}},
    {.names = "gpt_bigcode",
     .year = 2023,
     .source = Source::v4_v5,
     .kv_heads = read_multi_query_kv_heads,
     .read = read_gpt_bigcode,
     .length = {"n_positions", 1024}},
    {.names = "openai-gpt", .year = 2018, .read = read_learned, .length = {"n_positions", 512}},
    {.names = "gpt_neo",
     .year = 2021,
     .source = Source::v4_v5,
     .pattern = {.types = read_gpt_neo_types},
     .window = {.layers = LayerWindows::typed, .size = 256, .key = "window_size"},
     .read = read_learned,
     .length = {"max_position_embeddings", 2048},
     .fixed_scale = 1},
    {.names = "gptj",
     .year = 2021,
     .source = Source::v4,
     .base_key = nullptr,
     .rotary_dim = 64,
     .layout = RopeLayout::interleaved},
    {.names = "codegen",
     .year = 2022,
     .source = Source::v4,
     .base_key = nullptr,
     .rotary_dim = 64,
     .layout = RopeLayout::interleaved},
    {.names = "gpt_neox",
     .year = 2022,
     .source = Source::v4_v5,
     .base_key = "rotary_emb_base",
     .rotary_fraction = 0.25,
     .rotary_fraction_key = "rotary_pct"},
    {.names = "gpt_neox_japanese",
     .year = 2022,
     .source = Source::v4_v5,
     .base_key = "rotary_emb_base",
     .rotary_fraction_key = "rotary_pct"},
    {.names = "dbrx", .year = 2024, .source = Source::v4, .base_key = "attn_config.rope_theta"},
    {.names = "opt",
     .year = 2022,
     .source = Source::v4_v5,
     .read = read_learned,
     .length = {"max_position_embeddings", 2048},
     .row_offset = 2,
     .position_id_mode = PositionIdMode::opt},
    {.names = "biogpt",
     .year = 2022,
     .source = Source::v4_v5,
     .read = read_learned,
     .length = {"max_position_embeddings", 1024},
     .row_offset = 2,
     .position_id_mode = PositionIdMode::opt},
    {.names = "xglm",
     .year = 2021,
     .source = Source::v4,
     .read = read_sinusoids,
     .row_after_padding = true,
     .frequencies = "fairseq",
     .position_offset = 2},
    {.names = "ctrl",
     .year = 2019,
     .source = Source::v4_v5,
     .read = read_sinusoids,
     .frequencies = "paper"},
};

}  // namespace

std::span<const Family> list_families() { return kFamilies; }

}  // namespace phasor::families::gpt
