// Defaults as in configuration_*.py, pairs as in modeling_*.py of Hugging Face transformers 4.57. Where version 5 has another
// default (cohere: 500000), that of 4.57 counts: version 5 writes the key into every file, so a file without it is older. kimi_k2 is
// deepseek_v3 under another name.

#include "rope/family.h"

namespace phasor {

namespace {

constexpr RopeFamily kFamilies[] = {
    {.names = "dbrx, exaone4, falcon, gemma, gemma2, granite, granitemoe, llama, mistral, olmo, olmo2, olmoe, phi3, qwen2, qwen2_moe, "
              "qwen3, qwen3_moe, starcoder2"},
    {.names = "cohere, cohere2, deepseek_v2, deepseek_v3, kimi_k2, roformer", .interleaved = true},
    {.names = "glm, glm4", .rotary = 0.5, .interleaved = true},
    {.names = "codegen, gptj", .rotary = 64, .interleaved = true},
    {.names = "gpt_neox, qwen3_next, stablelm", .rotary = 0.25},
    {.names = "glm4_moe, nemotron, phi, recurrent_gemma", .rotary = 0.5},
    {.names = "fuyu, persimmon", .base = 25000, .rotary = 0.5},
    {.names = "helium", .base = 100000, .interleaved = true},
    {.names = "gpt_oss", .base = 150000},
    {.names = "ernie4_5, ernie4_5_moe, llama4, llama4_text", .base = 500000, .interleaved = true},
    {.names = "mixtral, phimoe, qwen2_vl, qwen2_vl_text, qwen2_5_vl, qwen2_5_vl_text", .base = 1e6},
    {.names = "gemma3, gemma3_text, gemma3n, gemma3n_text", .base = 1e6, .local_base = 10000},
    {.names = "smollm3", .base = 2e6},
};

}  // namespace

const RopeFamily* find_rope_family(std::string_view model_type) {
  for (const RopeFamily& family : kFamilies) {
    if (family.names.find(model_type) >= 0) return &family;
  }
  return nullptr;
}

}  // namespace phasor
