// Llama and every family with the same positions: all channels of a head rotate, channel i pairs
// with channel i + head_dim / 2, and every layer has full causal attention.

#include "hf_config/family.h"
#include "hf_config/rope_scaling_types.h"

namespace phasor::families::llama {

namespace {

constexpr Family kFamilies[] = {
    {.names = "llama", .year = 2023},
    {.names = "arcee, diffllama", .year = 2025},
    {.names = "aria_text, jetmoe, moshi", .year = 2024},
    {.names = "bitnet, csm, csm_depth_decoder_model, evolla, EvollaModel",
     .year = 2025,
     .base = 5e5},
    {.names = "deepseek_ocr2_text, jais2, gradium_phonon_tts, pocket_tts", .year = 2026},
    {.names = "emu3_text_model", .year = 2024, .base = 1e6},
    {.names = "exaone", .year = 2024, .base = 5e5},
    {.names = "higgs_audio_v2",
     .year = 2025,
     .base = 5e5,
     .scaling = set_higgs_scaling,
     .head_dim = 128},
    {.names = "internlm3, seed_oss", .year = 2025, .head_dim = 128},
    {.names = "iquestcoder, hrm_text", .year = 2026, .head_dim = 128},
    {.names = "kyutai_speech_to_text", .year = 2025, .base = 1e5, .base_v5 = 10000},
    {.names = "solar_open", .year = 2026, .base = 1e6, .head_dim = 128},
    {.names = "apertus",
     .year = 2025,
     .base = 1.2e7,
     .scaling = set_apertus_scaling,
     .norm = {.over = "head", .eps = 1e-5}},
    {.names = "apertus1p5_text",
     .year = 2026,
     .base = 1.2e7,
     .scaling = set_apertus_scaling,
     .norm = {.over = "head", .eps = 1e-5}},
    // Code World Model
    {.names = "cwm",
     .year = 2025,
     .base = 1e6,
     .scaling = set_cwm_scaling,
     .pattern = {.interval = 4, .phase = 0},
     .window = {.layers = LayerWindows::typed, .size = 8192},
     .head_dim = 128},
    {.names = "llama4_text",
     .year = 2025,
     .source = Source::v5,
     .base = 500000,
     .layout = RopeLayout::interleaved,
     .layers = Layers::listed,
     .ignores_empty_list = true,
     .window = {.layers = LayerWindows::chunked, .size = 8192, .key = "attention_chunk_size"},
     .temperature = Temperature::unrotated,
     .norm = {.over = "head",
              .weight_form = "none",
              .order = "after_encoding",
              .eps = 1e-5,
              .only_with = {"use_qk_norm", nullptr, true},
              .rotary_only = true},
     .head_dim = 128},
    {.names = "llama4",
     .year = 2025,
     .source = Source::v5,
     .base = 500000,
     .layout = RopeLayout::interleaved,
     .layers = Layers::listed,
     .ignores_empty_list = true,
     .window = {.layers = LayerWindows::chunked, .size = 8192, .key = "attention_chunk_size"},
     .temperature = Temperature::unrotated,
     .norm = {.over = "head",
              .weight_form = "none",
              .order = "after_encoding",
              .eps = 1e-5,
              .only_with = {"use_qk_norm", nullptr, true},
              .rotary_only = true}},
    {.names = "smollm3",
     .year = 2025,
     .base = 2e6,
     .layers = Layers::listed,
     .window = {.layers = LayerWindows::unrotated}},
    {.names = "mllama_text_model, mllama",
     .year = 2024,
     .source = Source::v4,
     .base = 500000,
     .layers = Layers::not_cross},
    {.names = "helium",
     .year = 2025,
     .base = 1e5,
     .layout = RopeLayout::interleaved,
     .head_dim = 128},
    // Nanochat rotates in the opposite direction.
    {.names = "nanochat",
     .year = 2025,
     .reversed = true,
     .norm = {.over = "head", .weight_form = "none", .order = "after_encoding"}},
    {.names = "idefics",
     .year = 2023,
     .unsupported = "has cross-attention layers between its layers (cross_layer_interval), which "
                    "are not supported"},
    // The norm of Chameleon has a weight and a bias per head and channel.
    {.names = "chameleon",
     .year = 2024,
     .norm = {.over = "head", .eps = 1e-5, .eps_key = nullptr, .norm = "layer"}},
};

}  // namespace

std::span<const Family> all() { return kFamilies; }

}  // namespace phasor::families::llama
