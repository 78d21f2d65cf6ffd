#pragma once
// Checks that attention, its cache and its layers share.

#include "phasor/attention.h"

namespace phasor {

/// q (heads, queries, width), k (kv_heads, keys, width) and v (kv_heads, keys, value width) fit
/// together and are finite; all three may have the axis of a batch before where that is allowed.
Status check_attention_shapes(const Tensor& q, const Tensor& k, const Tensor& v, bool allow_batch);
/// Refuses numbers of heads, and widths, that no attention has.
Status check_head_sizes(const Geometry& geometry);
/// Refuses encodings that belong to the embeddings. An unknown name is left to `create`.
Status check_attention_encoding(const EncodingConfig& config);
/// The factor on q.k: what the caller says, else what belongs to the method, else 1 / sqrt(width).
Status scale_of(const Encoding& encoding, std::optional<double> given, int width, double& out);

}  // namespace phasor
