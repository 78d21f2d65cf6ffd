// Mistral and families with a sliding window in every layer.

#include "hf_config/family.h"
#include "hf_config/layer_types.h"
#include "hf_config/query_scale.h"
#include "hf_config/rope_scaling_types.h"

namespace phasor::families::mistral {

namespace {

constexpr Family kFamilies[] = {
    {.names = "mistral", .year = 2023, .window = {.layers = LayerWindows::all, .size = 4096}},
    {.names = "mixtral", .year = 2023, .base = 1e6, .window = {.layers = LayerWindows::all}},
    {.names = "phimoe", .year = 2024, .base = 1e6, .window = {.layers = LayerWindows::all}},
    {.names = "starcoder2", .year = 2024, .window = {.layers = LayerWindows::all}},
    {.names = "voxtral_realtime_text",
     .year = 2026,
     .window = {.layers = LayerWindows::all, .size = 4096}},
    {.names = "phi3", .year = 2024, .window = {.layers = LayerWindows::all}},
    {.names = "phi4_multimodal", .year = 2025, .window = {.layers = LayerWindows::all}},
    // By default, layers alternate between softmax and linear attention.
    {.names = "minimax",
     .year = 2025,
     .base = 1e6,
     .pattern = {.read_types = read_minimax_layer_types},
     .window = {.layers = LayerWindows::all}},
    {.names = "ministral",
     .year = 2024,
     .pattern = {.interval = 1048576},
     .window = {.layers = LayerWindows::sliding_layers, .size = 4096}},
    {.names = "ministral3",
     .year = 2025,
     .base = 1e6,
     .set_scaling = set_ministral3_scaling,
     .window = {.layers = LayerWindows::all},
     .temperature = Temperature::scaling,
     .temperature_length = 16384,
     .head_dim = 128},
    {.names = "mistral4",
     .year = 2026,
     .layout = RopeLayout::interleaved,
     .reads_rope_interleave = true,
     .set_scaling = set_mistral4_scaling,
     .is_latent = true,
     .qk_nope_head_dim = 64,
     .qk_rope_head_dim = 64,
     .read_scale = read_mistral4_scale,
     .temperature = Temperature::scaling,
     .temperature_length = 8192},
    {.names = "mistral_large4_text",
     .year = 2026,
     .unsupported = "multiplies frequencies and queries by learned factors, which config.json does "
                    "not contain",
     .head_dim = 64},
    {.names = "mistral_large4",
     .year = 2026,
     .unsupported = "multiplies frequencies and queries by learned factors, which config.json does "
                    "not contain"},
};

}  // namespace

std::span<const Family> list_families() { return kFamilies; }

}  // namespace phasor::families::mistral
