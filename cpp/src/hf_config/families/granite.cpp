// Granite.

#include "hf_config/family.h"
#include "hf_config/query_scale.h"

namespace phasor::families::granite {

namespace {

constexpr Family kFamilies[] = {
    {.names = "granite, granitemoe", .year = 2024, .read_scale = read_granite_scale},
    {.names = "granitemoeshared", .year = 2025, .read_scale = read_granite_scale},
    {.names = "granite4_vision_text", .year = 2026, .read_scale = read_granite_scale},
    {.names = "granite_docling_text", .year = 2026, .read_scale = read_granite_docling_scale},
    {.names = "hyperclovax", .year = 2025, .read_scale = read_hyperclovax_scale},
    {.names = "granitemoehybrid",
     .year = 2025,
     .rotary_condition = {"position_embedding_type", "rope"},
     .pattern = {.interval = 1048576, .other_type = "linear_attention"},
     .read_scale = read_granite_scale},
    // The original code multiplies the output by sigmoid(logsumexp(scores) - sink), which is
    // equivalent to a sink in the softmax.
    {.names = "granite_swa, granitemoe_swa",
     .year = 2026,
     .pattern = {.interval = 4, .phase = 0},
     .window = {.layers = LayerWindows::sliding_layers, .size = 128},
     .read_scale = read_granite_scale,
     .sinks = Sinks::all},
};

}  // namespace

std::span<const Family> list_families() { return kFamilies; }

}  // namespace phasor::families::granite
