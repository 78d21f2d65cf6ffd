#pragma once
// Rotates the channel pairs of all tokens.

#include "phasor/tensor.h"

namespace phasor {

enum class PairLayout {
  interleaved,  ///< pair t is (2t, 2t + 1)
  half_split,   ///< pair t is (t, t + pairs)
};

/// `transposed` is used for gradients: the transpose of gain * R(angle) is gain * R(-angle).
enum class RotationDirection { forward, transposed };

/// Writes gain * cos(angle) and gain * sin(angle) for each channel pair of a token.
using RotationWriter = void (*)(void* context, int token, float* cosine, float* sine);

/// The maximum working memory, in bytes, of a rotary encoding with `dim` channels.
double rotation_bytes(int dim);

/// Rotates the channels [channel, channel + 2 * pairs) of x (heads, tokens, dim) in place, for
/// heads [head_begin, head_end).
void rotate_tokens(PairLayout layout, RotationDirection direction, int pairs, Tensor& x,
                   int head_begin, int head_end, RotationWriter write, void* context, int channel);

/// Overload for a callable `write(token, cosine, sine)`. Only this wrapper is a template, so the
/// loops are compiled once.
template <class Write>
void rotate_tokens(PairLayout layout, RotationDirection direction, int pairs, Tensor& x,
                   int head_begin, int head_end, Write write, int channel = 0) {
  const RotationWriter write_rotation = [](void* context, int token, float* cosine, float* sine) {
    (*static_cast<Write*>(context))(token, cosine, sine);
  };
  rotate_tokens(layout, direction, pairs, x, head_begin, head_end, write_rotation, &write, channel);
}

/// Rotates all heads.
template <class Write>
void rotate_tokens(PairLayout layout, RotationDirection direction, int pairs, Tensor& x,
                   Write write, int channel = 0) {
  rotate_tokens(layout, direction, pairs, x, 0, x.shape[0], write, channel);
}

}  // namespace phasor
