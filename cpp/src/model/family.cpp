// What each family adds and where follows modeling_*.py of Hugging Face transformers 4.57 and, where a family has left it since, the
// last version with it; defaults are those of configuration_*.py.

#include "model/family.h"

namespace phasor {

namespace {

constexpr const char* kT5 = "t5, num_buckets=relative_attention_num_buckets:32, max_distance=relative_attention_max_distance:128";

constexpr ModelFamily kFamilies[] = {
    // Those that may have relative keys or ALiBi instead. Row of the padding token: the last one before that of position 0.
    {"bert, albert, electra, ernie", "learned, max_length=max_position_embeddings:512"},
    {"roberta, camembert, data2vec-text, roberta-prelayernorm, xlm-roberta, xmod",
     "learned, max_length=max_position_embeddings:512, row_offset=pad_token_id:1, padding=opt"},
    // All others.
    {"distilbert, blenderbot-small", "learned, max_length=max_position_embeddings:512"},
    {"blenderbot", "learned, max_length=max_position_embeddings:128"},
    {"bart, mbart, mvp, plbart", "learned, max_length=max_position_embeddings:1024, row_offset=2"},
    {"biogpt", "learned, max_length=max_position_embeddings:1024, row_offset=2, padding=opt"},
    {"opt", "learned, max_length=max_position_embeddings:2048, row_offset=2, padding=opt"},
    {"gpt_neo", "learned, max_length=max_position_embeddings:2048, scale=1"},
    {"gpt2, gpt_bigcode", "learned, max_length=n_positions:1024"},
    {"openai-gpt", "learned, max_length=n_positions:512"},
    {"bloom, falcon", "alibi, form=row_shifted, padding=bloom"},
    {"mpt", "alibi, form=mpt, max_seq_len=max_seq_len:2048, bias_max=attn_config.alibi_bias_max:8"},
    {"t5, mt5, umt5, longt5, switch_transformers", kT5, kT5},
    {"marian, pegasus, ctrl", "sinusoidal, layout=concatenated, frequencies=paper"},
    {"m2m_100, nllb-moe", "sinusoidal, layout=concatenated, frequencies=fairseq, padding_idx=pad_token_id:1, padding=fairseq"},
    {"xglm", "sinusoidal, layout=concatenated, frequencies=fairseq, padding_idx=pad_token_id:1, offset=2"},
    {"whisper", "sinusoidal, layout=concatenated, frequencies=tensor2tensor", "learned, max_length=max_target_positions:448"},
    {"deberta", "deberta, max_relative_positions=max_relative_positions:0, position_buckets=0"},
    {"deberta-v2", "deberta, max_relative_positions=max_relative_positions:0, position_buckets=position_buckets:0"},
    {"transfo-xl", "transformer_xl, clamp_len=clamp_len:1000"},
    {"xlnet", "transformer_xl, clamp_len=clamp_len:0"},
    {"jamba", "none"},
    {"mamba, mamba2, falcon_mamba, rwkv", ""},
};

// JinaBERT and MosaicBERT are "bert" too.
constexpr ModelFamily kAlibi = {"alibi", "alibi"};
constexpr ModelFamily kRelativeKey = {"relative_key", "shaw, clip=max_position_embeddings:512, direction=left_positive"};

}  // namespace

const ModelFamily* find_model_family(std::string_view model_type, std::string_view position_embedding_type) {
  for (const ModelFamily& family : kFamilies) {
    if (family.names.find(model_type) < 0) continue;
    if (&family - kFamilies < 2) {
      for (const ModelFamily* other : {&kAlibi, &kRelativeKey}) {
        if (other->names.text() == position_embedding_type) return other;
      }
    }
    return &family;
  }
  return nullptr;
}

}  // namespace phasor
