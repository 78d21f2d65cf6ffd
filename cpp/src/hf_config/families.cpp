// The encoding of each family and its injection point follow modeling_*.py of Hugging Face
// transformers 4.57 and, where a family has left it since, the last version with it; defaults are
// those of configuration_*.py.

#include "hf_config/families.h"

#include "hf_config/family_readers.h"

namespace phasor {

namespace {

constexpr ModelFamily kFamilies[] = {
    {.names = "bert, albert, electra, ernie",
     .source = Source::v4_v5,
     .read = read_learned,
     .length = {"max_position_embeddings", 512},
     .has_choice = true},
    {.names = "roberta, camembert, data2vec-text, roberta-prelayernorm, xlm-roberta, xmod",
     .source = Source::v4_v5,
     .read = read_learned,
     .length = {"max_position_embeddings", 512},
     .row_after_padding = true,
     .padding = PositionIdMode::opt,
     .has_choice = true},
    {.names = "distilbert, blenderbot-small",
     .source = Source::v4_v5,
     .read = read_learned,
     .length = {"max_position_embeddings", 512}},
    {.names = "blenderbot",
     .source = Source::v4,
     .read = read_learned,
     .length = {"max_position_embeddings", 128}},
    {.names = "bart, mbart, mvp, plbart",
     .source = Source::v4,
     .read = read_learned,
     .length = {"max_position_embeddings", 1024},
     .row_offset = 2},
    {.names = "biogpt",
     .source = Source::v4_v5,
     .read = read_learned,
     .length = {"max_position_embeddings", 1024},
     .row_offset = 2,
     .padding = PositionIdMode::opt},
    {.names = "opt",
     .source = Source::v4_v5,
     .read = read_learned,
     .length = {"max_position_embeddings", 2048},
     .row_offset = 2,
     .padding = PositionIdMode::opt},
    {.names = "gpt_neo",
     .source = Source::v4,
     .read = read_learned,
     .length = {"max_position_embeddings", 2048},
     .scale = 1},
    {.names = "gpt2", .source = Source::v4, .read = read_gpt2, .length = {"n_positions", 1024}},
    {.names = "gpt_bigcode",
     .source = Source::v4_v5,
     .read = read_gpt_bigcode,
     .length = {"n_positions", 1024}},
    {.names = "openai-gpt",
     .source = Source::v5,
     .read = read_learned,
     .length = {"n_positions", 512}},
    {.names = "bloom",
     .source = Source::v4,
     .read = read_bloom,
     .padding = PositionIdMode::bloom,
     .alibi = true},
    {.names = "falcon",
     .source = Source::v4,
     .read = read_falcon,
     .padding = PositionIdMode::bloom,
     .alibi = true},
    {.names = "mpt",
     .source = Source::v4_v5,
     .read = read_mpt,
     .length = {"max_seq_len", 2048},
     .alibi = true},
    {.names = "t5, mt5, umt5, longt5, switch_transformers",
     .source = Source::v4_v5,
     .read = read_t5,
     .decoder = read_t5},
    {.names = "marian, pegasus, ctrl",
     .source = Source::v4_v5,
     .read = read_sinusoids,
     .frequencies = "paper"},
    {.names = "m2m_100, nllb-moe",
     .source = Source::v4,
     .read = read_sinusoids,
     .row_after_padding = true,
     .padding = PositionIdMode::fairseq,
     .frequencies = "fairseq"},
    {.names = "xglm",
     .source = Source::v4,
     .read = read_sinusoids,
     .row_after_padding = true,
     .frequencies = "fairseq",
     .position_offset = 2},
    {.names = "whisper",
     .source = Source::v4,
     .read = read_sinusoids,
     .decoder = read_learned,
     .length = {"max_target_positions", 448},
     .frequencies = "tensor2tensor"},
    {.names = "deberta", .source = Source::v5, .read = read_deberta},
    {.names = "deberta-v2",
     .source = Source::v4,
     .read = read_deberta,
     .length = {"position_buckets", 0}},
    {.names = "transfo-xl",
     .source = Source::v4,
     .read = read_transformer_xl,
     .length = {"clamp_len", 1000}},
    {.names = "xlnet",
     .source = Source::v4_v5,
     .read = read_transformer_xl,
     .length = {"clamp_len", 0}},
    {.names = "jamba", .source = Source::v4_v5, .read = read_none},
    {.names = "mamba, falcon_mamba, rwkv", .source = Source::v5},
    {.names = "mamba2"},
};

// JinaBERT and MosaicBERT are "bert" too.
constexpr ModelFamily kAlibi = {.names = "alibi", .read = read_alibi, .alibi = true};
constexpr ModelFamily kRelativeKey = {
    .names = "relative_key", .read = read_relative_key, .length = {"max_position_embeddings", 512}};

}  // namespace

std::span<const ModelFamily> model_families() { return kFamilies; }

const ModelFamily* find_model_family(std::string_view model_type,
                                     std::string_view position_embedding_type) {
  for (const ModelFamily& family : kFamilies) {
    if (family.names.find(model_type) < 0) continue;
    if (family.has_choice) {
      for (const ModelFamily* other : {&kAlibi, &kRelativeKey}) {
        if (other->names.text() == position_embedding_type) return other;
      }
    }
    return &family;
  }
  return nullptr;
}

}  // namespace phasor
