#pragma once
// Turning every token of every head.

#include <algorithm>
#include <vector>

#include "kernels/kernels.h"

namespace phasor::kernels {

/// Which channels form a pair.
enum class PairLayout {
  interleaved,  ///< (2t, 2t + 1)
  half_split,   ///< (t, t + pairs)
};

/// Whether vectors are turned, or gradients turned back: the transpose of gain * R(angle) is gain * R(-angle).
enum class Direction { forward, transposed };

/// Turns the first 2 * pairs channels of heads [first, last) of x (heads, tokens, width) in place. `write(token, cosine, sine)`
/// writes gain * cos(angle) and gain * sin(angle) of the token's pairs.
template <class Write>
void turn_tokens(PairLayout layout, Direction direction, int pairs, Tensor& x, int first, int last, Write write) {
  // So many tokens of one head are next to each other in memory, and their cosines and sines stay in the nearest cache.
  constexpr int kTokens = 16;
  const auto kernel = layout == PairLayout::interleaved ? active::rotate_interleaved : active::rotate_half_split;
  const std::size_t size = static_cast<std::size_t>(kTokens) * static_cast<std::size_t>(pairs);
  std::vector<float> cosine(size), sine(size);
  for (int start = 0; start < x.shape[1]; start += kTokens) {
    const int tokens = std::min(kTokens, x.shape[1] - start);
    for (int n = 0; n < tokens; ++n) write(start + n, cosine.data() + n * pairs, sine.data() + n * pairs);
    if (direction == Direction::transposed) {
      for (float& s : sine) s = -s;
    }
    for (int head = first; head < last; ++head) {
      for (int n = 0; n < tokens; ++n) kernel(matrix(x, head).row(start + n), cosine.data() + n * pairs, sine.data() + n * pairs, pairs);
    }
  }
}

/// The same for all heads.
template <class Write>
void turn_tokens(PairLayout layout, Direction direction, int pairs, Tensor& x, Write write) {
  turn_tokens(layout, direction, pairs, x, 0, x.shape[0], write);
}

}  // namespace phasor::kernels
