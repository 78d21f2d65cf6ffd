#pragma once
// The positional encoding of a published model, whatever it is, from its config.json (Hugging Face
// transformers, versions 4 and 5).

#include <optional>
#include <string>

#include "phasor/combine.h"
#include "phasor/encoding.h"
#include "phasor/result.h"

namespace phasor {

/// What config.json leaves open. Each is needed only where it makes a difference, and asked for
/// there.
struct ModelEncodingOptions {
  std::string stack{};             ///< "encoder" or "decoder"
  std::string layer_type{};        ///< "full_attention" ...: which layers are meant
  std::optional<int> layer_idx{};  ///< number of the layer, from 0 on, which says its type too
  /// Length of the text being read, for dynamic and longrope; 0: not beyond the original context
  double sequence_length = 0;
};

struct ModelEncoding {
  EncodingConfig encoding{};
  /// The factor on q.k for `attention`, where it is neither 1 / sqrt(width) nor the encoding's own
  /// (T5, DeBERTa).
  std::optional<double> scale{};
  /// The position of the first token.
  double offset = 0;
  /// How position_ids counts padded texts, where padding must not count; its positions include the
  /// offset.
  std::optional<PositionIdMode> position_id_mode{};
  int padding_idx = 1;  ///< for position_ids
  Params because{};     ///< the keys of the file that say so: n_head, rope_scaling.factor ...
  /// Keys that the file leaves out, as the family's config class in transformers 4.57 has them
  Params defaults{};
  /// Of a family that is not listed: what neither the file nor a family says, and was assumed
  /// (layout, rotary_fraction, layers, form, rope_theta). Empty where nothing was.
  Params assumed{};
};

/// Reads a config.json, given as read_rope_model takes it; models with rotary positions are read by
/// the rules given there. A layer or model that does not rotate its queries and keys has the
/// encoding none.
///
/// By model_type, of which docs/models.md lists all: alibi, t5, learned, shaw (relative_key of
/// BERT), sinusoidal, deberta, transformer_xl, none, rope and mrope. Positions begin at 0
/// everywhere except for `offset`: tables with rows before the first token's (OPT, BART, RoBERTa)
/// have a row_offset.
///
/// A model_type that is not listed is read where the file says something about rotation or alibi,
/// and only as far as every key with rope, rotary, position, alibi, nope, layer_types, sliding,
/// scaling, ntk or logn in its name is understood; the first that is not is refused. What had to be
/// assumed is in `assumed`.
///
/// Where layers or stacks differ, the options choose one; without them there is an answer only
/// where all agree.
///
/// Learned tables are in the checkpoint; the encoding takes them as `table` (t5, learned),
/// `table_k`, `pos_key` ... .
///
/// Keys about two kinds of positions in one file are refused (except rotation beside Falcon's
/// alibi, which is what its code uses), and so are models without attention and whatever is added
/// to the positions of a family and has no encoding here (position_embedding_type
/// relative_key_query).
Result<ModelEncoding> model_encoding(const Params& config, const ModelEncodingOptions& options);

}  // namespace phasor
