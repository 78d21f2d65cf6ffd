#pragma once
// Computes an encoding's table, angles, frequencies, bias or rotation without running attention.

#include "phasor/encoding.h"
#include "phasor/result.h"

namespace phasor {

/// The table of an `input` encoding, (positions, dim).
Result<Tensor> position_table(const EncodingConfig& config, Positions positions, int dim);

/// The angles of a `query_key` encoding in radians, (positions, pairs).
Result<Tensor> rotary_angles(const EncodingConfig& config, Positions positions, int dim);

/// The bias of a `score` encoding, (heads, queries, keys). Keys are at positions 0 to keys - 1,
/// queries at position_offset to position_offset + queries - 1. head_dim only affects biases that
/// are divided by sqrt(head_dim) (`placement` of relative_bias).
Result<Tensor> attention_bias(const EncodingConfig& config, int heads, int queries, int keys,
                              double position_offset, int head_dim = 1);
/// The bias of a `score` encoding, (heads, queries.count(), keys.count()), at any positions, for
/// example those of a padded batch.
Result<Tensor> attention_bias(const EncodingConfig& config, int heads, Positions queries,
                              Positions keys, int head_dim = 1);

/// Transforms x (heads, positions, dim) in place with a `query_key` encoding, and returns it. Pass
/// an rvalue if x is not needed afterwards.
Result<Tensor> apply_rotary(const EncodingConfig& config, Role role, Positions positions, Tensor x);

/// Transforms x (heads, tokens, dim) with an encoding that has token tensors (rope_selective).
/// `tokens` contains the token tensors of the same tokens.
Result<Tensor> apply_rotary(const EncodingConfig& config, Role role, const TokenTensors& tokens,
                            Tensor x);

/// The distances (queries, keys) that `rope` uses in its scores, with heads of this dim: i - j, or
/// the result of `remap`; 0 for keys after the query.
Result<Tensor> rope_distances(const EncodingConfig& config, Positions queries, Positions keys,
                              int dim);

/// The transform of a `query_key` encoding at one position, as a matrix (dim, dim). If heads
/// differ, uses the first head.
Result<Tensor> rotation_matrix(const EncodingConfig& config, Role role, Positions position,
                               int dim);

/// The frequencies of `rope` or `mrope` after scaling, for heads of this dim (scaled_frequencies in
/// rope.h computes them without an encoding). The frequency of a pair that does not rotate is 0.
Result<Frequencies> rope_frequencies(const EncodingConfig& config, int dim);

/// These overloads use an existing encoding, from create_encoding() or a user-defined class,
/// without copying a learned table. They reject an encoding created for fewer positions, or for a
/// different dim, number of heads or number of coordinates. Values that depend on a length use the
/// length that the encoding was created for. In apply_rotary, keys may have the encoding's kv_heads
/// heads.
Result<Tensor> position_table(const Encoding& encoding, Positions positions, int dim);
Result<Tensor> rotary_angles(const Encoding& encoding, Positions positions, int dim);
Result<Tensor> attention_bias(const Encoding& encoding, int heads, int queries, int keys,
                              double position_offset, int head_dim = 1);
Result<Tensor> attention_bias(const Encoding& encoding, int heads, Positions queries,
                              Positions keys, int head_dim = 1);
Result<Tensor> apply_rotary(const Encoding& encoding, Role role, Positions positions, Tensor x);
Result<Tensor> apply_rotary(const Encoding& encoding, Role role, const TokenTensors& tokens,
                            Tensor x);
Result<Tensor> rope_distances(const Encoding& encoding, Positions queries, Positions keys, int dim);
Result<Tensor> rotation_matrix(const Encoding& encoding, Role role, Positions position, int dim);
Result<Frequencies> rope_frequencies(const Encoding& encoding, int dim);

}  // namespace phasor
