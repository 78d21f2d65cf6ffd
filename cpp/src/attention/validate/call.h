#pragma once

#include <memory>

#include "attention/streaming/attend.h"
#include "phasor/attention.h"
#include "phasor/tensor_view.h"

namespace phasor {

/// The sizes of q, k and v without the batch axis.
struct CallSizes {
  int batch_size = 0;  ///< 0: no batch axis
  int heads = 0, kv_heads = 0, queries = 0, keys = 0, head_dim = 0, v_head_dim = 0;

  int item_count() const { return batch_size == 0 ? 1 : batch_size; }
};

struct CallEncoding {
  explicit CallEncoding(const Encoding* existing_encoding) : encoding(existing_encoding) {}

  const Encoding* encoding;
  std::unique_ptr<Encoding> new_encoding{};
};

/// Validates a call, and creates the encoding if the caller has none. v must have passed check_data
/// or check_strides.
Status validate_call(const Tensor& q, const Tensor& k, const TensorView& v,
                     const AttentionConfig& config, CallSizes& sizes, CallEncoding& call_encoding);

/// Rejects an existing encoding that is added to embeddings, has invalid parameters, or was created
/// for sizes other than those of this call.
Status check_encoding_dims(const Encoding& encoding, const EncodingConfig& call_config,
                           const EncodingDims& call_dims);

/// One batch item, or the whole call if there is no batch axis.
struct PreparedCall {
  AttentionParams params;

  // Positions computed for a call without positions, or for the mask if positions have several axes
  std::vector<double> queries, keys;
  std::vector<std::uint8_t> key_mask;  // of this item
  TokenTensors tokens;                 // of this item
};

bool has_positions(const AttentionConfig& config);

/// One item of an array with a batch axis: (batch, ...) -> (...).
Tensor copy_item(const Tensor& t, int item);

/// Prepares an item of a validated call. out.params points to segment ids in `config` and to other
/// members of `out`, so `out` must not be moved.
Status prepare_item(const CallSizes& sizes, int item, const Encoding& encoding,
                    const AttentionConfig& config, PreparedCall& out);

/// Requires finite q (heads, queries, head_dim), k (kv_heads, keys, head_dim) and v (kv_heads,
/// keys, v_head_dim) with matching shapes. If `allow_batch` is true, all three may have a leading
/// batch axis. v must have passed check_data or check_strides.
Status check_attention_shapes(const Tensor& q, const Tensor& k, const TensorView& v,
                              bool allow_batch);
/// Rejects head counts and dims that are out of range. `dim` is the name of dims.dim in errors.
Status check_head_sizes(const EncodingDims& dims, const char* dim);
/// Rejects encodings that are added to the embeddings. Unknown ids are left to create_encoding().
Status check_attention_encoding(const EncodingConfig& config);
/// Sets `out` to the scale of q.k: the caller's if there is one, otherwise the encoding's,
/// otherwise 1 / sqrt(head_dim).
Status resolve_scale(const Encoding& encoding, std::optional<double> config_scale, int head_dim,
                     double& out);

}  // namespace phasor
