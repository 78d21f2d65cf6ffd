// Read from configuration_*.py and modeling_*.py of Hugging Face transformers, of version 5 and, of
// gemma3 and olmo2, of version 4. Gemma 3 has attn_logit_softcapping in its file and does not read
// it. The norm that Llama 4 calls L2 divides by the root of the mean square, and has no weight.

#include "hf_config/layer_family.h"

namespace phasor {

namespace {

constexpr const char *kBefore = "before_encoding", *kAfter = "after_encoding";

constexpr LayerFamily kLayerFamilies[] = {
    {.names = "gpt_oss", .windows = LayerWindows::typed, .window = 128, .sinks = true},
    {.names = "gemma2", .windows = LayerWindows::typed, .window = 4096, .softcap = 50},
    {.names = "gemma3, gemma3_text",
     .windows = LayerWindows::typed,
     .window = 4096,
     .norm = {"head", "one_plus", kBefore, 1e-6}},
    {.names = "qwen3",
     .windows = LayerWindows::later,
     .window = 4096,
     .norm = {"head", "plain", kBefore, 1e-6}},
    {.names = "olmo2", .norm = {"all_heads", "plain", kBefore, 1e-5}},
    {.names = "olmo3",
     .windows = LayerWindows::typed,
     .window = 4096,
     .norm = {"all_heads", "plain", kBefore, 1e-5}},
    {.names = "cohere2", .windows = LayerWindows::typed, .window = 4096},
    {.names = "llama4, llama4_text",
     .windows = LayerWindows::chunked,
     .window = 8192,
     .norm = {"head", "none", kAfter, 1e-5, "use_qk_norm"}},
    {.names = "smollm3", .windows = LayerWindows::unrotated},
    {.names = "exaone4",
     .windows = LayerWindows::typed,
     .window = 4096,
     .norm = {"head", "plain", kBefore, 1e-5}},
    {.names = "deepseek_v3", .latent = true},
};

}  // namespace

std::span<const LayerFamily> layer_families() { return kLayerFamilies; }

const LayerFamily* find_layer_family(std::string_view model_type) {
  for (const LayerFamily& family : kLayerFamilies) {
    if (family.names.find(model_type) >= 0) return &family;
  }
  return nullptr;
}

}  // namespace phasor
