#pragma once
// A call of attention before anything is computed: what is given fits together, and every token has
// a position.

#include <memory>

#include "attention/streaming/attend.h"
#include "phasor/attention.h"

namespace phasor {

/// The sizes of q, k and v without the axis of a batch.
struct CallSizes {
  int batch = 0;  ///< items; 0: the arrays have no such axis
  int heads = 0, kv_heads = 0, queries = 0, keys = 0, head_dim = 0, v_head_dim = 0;

  int items() const { return batch == 0 ? 1 : batch; }
};

/// The encoding of a call: that of the caller, or the one that is made for it.
struct CallEncoding {
  explicit CallEncoding(const Encoding* live) : encoding(live) {}

  const Encoding* encoding;  ///< nullptr before one is made
  std::unique_ptr<Encoding> owned{};
};

/// Checks a call, and makes the encoding it needs where none is made yet.
Status validate_call(const Tensor& q, const Tensor& k, const Tensor& v,
                     const AttentionConfig& config, CallSizes& sizes, CallEncoding& encoding);

/// Rejects an encoding that was made for other sizes, or does not enter attention, or whose
/// parameters are invalid.
Status check_encoding_dims(const Encoding& encoding, const EncodingConfig& beside,
                           const EncodingDims& call);

/// One item of a batch, or the whole call without one.
struct PreparedCall {
  AttentionParams job;

  std::vector<double> queries, keys;   // consecutive positions, or numbers of tokens
  std::vector<std::uint8_t> key_mask;  // of this item
  TokenTensors tokens;                 // of this item of a batch
};

/// Whether the caller says where tokens are.
bool has_positions(const AttentionConfig& config);

/// One item of an array with the axis of a batch: (batch, ...) -> (...).
Tensor item_of(const Tensor& t, int item);

/// The encoding must have been checked by one of the above; `out` must not move afterwards, because
/// the job points into it.
Status prepare(const CallSizes& sizes, int item, const Encoding& encoding,
               const AttentionConfig& config, PreparedCall& out);

// Checks that attention, its cache and its layers share.

/// q (heads, queries, head_dim), k (kv_heads, keys, head_dim) and v (kv_heads, keys, v_head_dim)
/// fit together and are finite; all three may have the axis of a batch before where that is
/// allowed.
Status check_attention_shapes(const Tensor& q, const Tensor& k, const Tensor& v, bool allow_batch);
/// Rejects numbers of heads, and dims, that no attention has. `dim`: the caller's name of that
/// field.
Status check_head_sizes(const EncodingDims& geometry, const char* dim);
/// Rejects encodings that belong to the embeddings. An unknown name is left to create_encoding().
Status check_attention_encoding(const EncodingConfig& config);
/// The factor on q.k: what the caller says, else what belongs to the method, else 1 /
/// sqrt(head_dim).
Status resolve_scale(const Encoding& encoding, std::optional<double> given, int head_dim,
                     double& out);

}  // namespace phasor
