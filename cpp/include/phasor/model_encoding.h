#pragma once
// The positional encoding of a published model, whatever it is, from its config.json (Hugging Face transformers, versions 4 and 5).

#include <optional>
#include <string>

#include "phasor/combine.h"
#include "phasor/encoding.h"
#include "phasor/result.h"

namespace phasor {

/// What config.json leaves open. Each is needed only where it makes a difference, and asked for there.
struct ModelEncodingOptions {
  std::string stack{};             ///< "encoder" or "decoder"
  std::string layer_type{};        ///< "full_attention" ...: which layers are meant
  std::optional<int> layer_idx{};  ///< number of the layer, from 0 on
  double sequence_length = 0;      ///< length of the text being read, for dynamic and longrope; 0: not beyond the original context
};

struct ModelEncoding {
  EncodingConfig encoding{};
  /// The factor on q.k for `attention`, where it is neither 1 / sqrt(width) nor the encoding's own (T5, DeBERTa).
  std::optional<double> scale{};
  /// The position of the first token.
  double offset = 0;
  /// How position_ids counts padded texts, where padding must not count; its positions include the offset.
  std::optional<PositionIdMode> position_id_mode{};
  int padding_idx = 1;  ///< for position_ids
  Params because{};     ///< the keys of the file that say so: n_head, rope_scaling.factor ...
  Params defaults{};    ///< keys that the file leaves out, as the family's config class in transformers 4.57 has them
};

/// Reads a config.json, given as read_rope_model takes it; models with rotary positions are read by the rules given there.
///
/// By model_type: alibi (bloom, falcon, mpt), t5 (t5, mt5, umt5, longt5, switch_transformers), learned (gpt2, gpt_bigcode, openai-gpt,
/// gpt_neo, bert, albert, electra, distilbert, roberta, xlm-roberta, camembert, opt, biogpt, bart, mbart, plbart, mvp, blenderbot ...,
/// whisper), shaw (relative_key of BERT), sinusoidal (marian, pegasus, ctrl, xglm, m2m_100, nllb-moe, whisper), deberta (deberta,
/// deberta-v2), transformer_xl (transfo-xl, xlnet), none (jamba, and layers without positions). Of a model_type that is not known, alibi
/// and position_embedding_type are believed where they leave nothing open. Positions begin at 0 everywhere but for `offset`: tables with
/// rows before the first token's (OPT, BART, RoBERTa) have a row_offset.
///
/// Learned tables are in the checkpoint; the encoding takes them as `table` (t5, learned), `table_k`, `pos_key` ... .
///
/// Keys about two kinds of positions in one file are refused (but for rotation beside Falcon's alibi, which its code goes by), and so are
/// models without attention and whatever is added to the positions of a family and has no encoding here (position_embedding_type
/// relative_key_query).
Result<ModelEncoding> model_encoding(const Params& config, const ModelEncodingOptions& options);

}  // namespace phasor
