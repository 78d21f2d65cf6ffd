#pragma once
// The list of all encodings, made by the build from the files in cpp/src/encodings.

#include <memory>
#include <span>
#include <string_view>

#include "phasor/encoding.h"

namespace phasor {

/// Every encoding, sorted by id.
std::span<const EncodingType* const> encodings();

/// The encoding of that id, or nullptr.
const EncodingType* find(std::string_view id);

/// What parameters an encoding of the list has.
std::span<const ParamSpec> params(const EncodingType& type);

/// Validates parameters and sizes and makes the encoding. Unknown ids and parameters, values out of range and sizes the
/// encoding cannot work with are refused with one sentence.
Status create(const EncodingConfig& config, const Geometry& geometry, std::unique_ptr<Encoding>& out);

/// The positions offset, offset + 1 ... of a text of `length` tokens: refused when one would pass kMaxPosition.
Status consecutive_positions(double offset, int length, std::vector<double>& out);

/// The table an `input` encoding adds. out (positions, width)
Status table(const EncodingConfig& config, Positions positions, int width, Tensor& out);

/// The angles of a `query_key` encoding, radians. out (positions, pairs)
Status angles(const EncodingConfig& config, Positions positions, int width, Tensor& out);

/// The bias of a `score` encoding; keys stand at 0 .. keys-1, queries at offset .. offset+queries-1. out (heads, queries, keys)
/// `width` is that of a head, for the few biases that are divided by its root (relative_bias inside the fraction).
Status bias(const EncodingConfig& config, int heads, int queries, int keys, double offset, Tensor& out, int width = 1);
/// The same at any positions, as a padded batch has them: out (heads, queries.count(), keys.count())
Status bias(const EncodingConfig& config, int heads, Positions queries, Positions keys, Tensor& out, int width = 1);

/// x (heads, positions, width) transformed in place by a `query_key` encoding.
Status rotate(const EncodingConfig& config, Role role, Positions positions, Tensor& x);

/// What a `query_key` encoding does to a column vector at one position, as a matrix (of the first head, where heads differ).
/// out (width, width)
Status rotation_matrix(const EncodingConfig& config, Role role, Positions position, int width, Tensor& out);

/// The frequencies of `rope` or `mrope` after scaling, for heads of this width (rope_frequencies.h has the same without an
/// encoding). Pairs that stand still have 0.
Status rope_frequencies(const EncodingConfig& config, int width, Frequencies& out);

}  // namespace phasor
