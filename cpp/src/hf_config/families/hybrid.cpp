// Hybrid models: some layers have softmax attention, the others linear attention, a state-space
// model or a convolution.

#include "hf_config/family.h"
#include "hf_config/family_readers.h"
#include "hf_config/layer_types.h"
#include "hf_config/query_scale.h"
#include "hf_config/rope_scaling_types.h"

namespace phasor::families::hybrid {

namespace {

constexpr Family kFamilies[] = {
    {.names = "bamba",
     .year = 2024,
     .rotary_fraction = 0.5,
     .pattern = {.read_types = read_bamba_layer_types}},
    // Every layer runs attention and a state-space model in parallel.
    {.names = "falcon_h1",
     .year = 2025,
     .base = 1e5,
     .v5_base = 10000,
     .read_scale = read_falcon_h1_scale},
    {.names = "jamba",
     .year = 2024,
     .pattern = {.interval = 8,
                 .key = "attn_layer_period",
                 .phase = 4,
                 .phase_key = "attn_layer_offset",
                 .other_type = "linear_attention"},
     .read_positions = read_none},
    {.names = "nemotron_h",
     .year = 2025,
     .pattern = {.read_types = read_nemotron_h_layer_types},
     .read_positions = read_none},
    {.names = "zamba",
     .year = 2024,
     .pattern = {.read_types = read_zamba_layer_types},
     .read_scale = read_zamba_scale,
     .embed_dim_key = nullptr,
     .read_positions = read_none},
    {.names = "zamba2",
     .year = 2024,
     .unsupported_key = "use_long_context",
     .rotary_condition = {"use_mem_rope"},
     .pattern = {.read_types = read_zamba2_layer_types},
     .read_scale = read_zamba_scale,
     .embed_dim_key = nullptr},
    {.names = "lfm2, lfm2_moe",
     .year = 2025,
     .base = 1e6,
     .pattern = {.read_types = read_lfm2_layer_types},
     .norm = {.over = "head", .eps = 1e-5, .eps_key = "norm_eps"}},
    {.names = "lfm3",
     .year = 2026,
     .base = 1e6,
     .rotation = RotationRule::local_base,
     .local_base = 10000,
     .set_scaling = set_lfm3_scaling,
     .pattern = {.read_types = read_lfm3_layer_types},
     .window = {.layers = LayerWindows::sliding_layers, .size = 256},
     .norm = {.over = "head", .eps = 1e-5, .eps_key = "norm_eps"},
     .head_dim = 128},
    {.names = "mamba, rwkv", .year = 2023, .has_no_attention = true},
    {.names = "mamba2, falcon_mamba", .year = 2024, .has_no_attention = true},
    {.names = "xlstm", .year = 2024, .has_no_attention = true},
};

}  // namespace

std::span<const Family> list_families() { return kFamilies; }

}  // namespace phasor::families::hybrid
