#pragma once
// Rotation of every token of every head.

#include "phasor/tensor.h"

namespace phasor {

/// Which channels form a pair.
enum class PairLayout {
  interleaved,  ///< pair t is (2t, 2t + 1)
  half_split,   ///< pair t is (t, t + pairs)
};

/// Whether vectors are rotated, or gradients rotated back: the transpose of gain * R(angle) is gain
/// * R(-angle).
enum class Direction { forward, transposed };

/// Writes the rotation of a token: gain * cos(angle) and gain * sin(angle) of each pair.
using WriteRotation = void (*)(void* context, int token, float* cosine, float* sine);

/// Upper bound on the working memory of a rotary encoding with this dim, in bytes.
double rotation_bytes(int dim);

/// Rotates 2 * pairs channels from `channel` on of heads [head_begin, head_end) of x (heads,
/// tokens, dim) in place.
void rotate_tokens(PairLayout layout, Direction direction, int pairs, Tensor& x, int head_begin,
                   int head_end, WriteRotation write, void* context, int channel);

/// Overload for a callable `write(token, cosine, sine)`. Only this wrapper is instantiated per
/// encoding, so that the loops are compiled once.
template <class Write>
void rotate_tokens(PairLayout layout, Direction direction, int pairs, Tensor& x, int head_begin,
                   int head_end, Write write, int channel = 0) {
  const WriteRotation call = [](void* context, int token, float* cosine, float* sine) {
    (*static_cast<Write*>(context))(token, cosine, sine);
  };
  rotate_tokens(layout, direction, pairs, x, head_begin, head_end, call, &write, channel);
}

/// Rotates all heads.
template <class Write>
void rotate_tokens(PairLayout layout, Direction direction, int pairs, Tensor& x, Write write,
                   int channel = 0) {
  rotate_tokens(layout, direction, pairs, x, 0, x.shape[0], write, channel);
}

}  // namespace phasor
