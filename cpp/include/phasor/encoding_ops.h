#pragma once
// Computes the table, angles, frequencies, bias or rotation of an encoding without attention.

#include "phasor/encoding.h"
#include "phasor/result.h"

namespace phasor {

/// The table of an `input` encoding, (positions, dim).
Result<Tensor> position_table(const EncodingConfig& config, Positions positions, int dim);

/// The angles of a `query_key` encoding in radians, (positions, pairs).
Result<Tensor> rotary_angles(const EncodingConfig& config, Positions positions, int dim);

/// The bias of a `score` encoding, (heads, queries, keys); keys are at 0 .. keys - 1, queries at
/// position_offset .. position_offset + queries - 1. head_dim matters only for biases that are
/// divided by sqrt(head_dim) (`placement` of relative_bias).
Result<Tensor> attention_bias(const EncodingConfig& config, int heads, int queries, int keys,
                              double position_offset, int head_dim = 1);
/// The bias of a `score` encoding at any positions, as in a padded batch: (heads, queries.count(),
/// keys.count()).
Result<Tensor> attention_bias(const EncodingConfig& config, int heads, Positions queries,
                              Positions keys, int head_dim = 1);

/// x (heads, positions, dim) transformed by a `query_key` encoding, in place; pass an rvalue if x
/// is not needed afterwards.
Result<Tensor> apply_rotary(const EncodingConfig& config, Role role, Positions positions, Tensor x);

/// x (heads, tokens, dim) transformed by an encoding with token tensors (rope_selective). `tokens`
/// has the token tensors of the same tokens.
Result<Tensor> apply_rotary(const EncodingConfig& config, Role role, const TokenTensors& tokens,
                            Tensor x);

/// The distances (queries, keys) at which `rope` computes scores, for heads of this dim: i - j, or
/// its remapping by `remap`; 0 for keys after the query.
Result<Tensor> rope_distances(const EncodingConfig& config, Positions queries, Positions keys,
                              int dim);

/// The transform of a `query_key` encoding at one position, as a matrix (dim, dim). Uses the first
/// head if heads differ.
Result<Tensor> rotation_matrix(const EncodingConfig& config, Role role, Positions position,
                               int dim);

/// The frequencies of `rope` or `mrope` after scaling, for heads of this dim (scaled_frequencies in
/// rope.h computes them without an encoding). Pairs that do not rotate have 0.
Result<Frequencies> rope_frequencies(const EncodingConfig& config, int dim);

/// These overloads use an existing encoding, from create_encoding() or a user-defined class,
/// without copying a learned table. Rejected if the encoding was created for fewer positions, or
/// for a different dim, number of heads or number of coordinates. Values that depend on a length
/// use the length that the encoding was created for. In apply_rotary, keys may have the encoding's
/// kv_heads heads.
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
