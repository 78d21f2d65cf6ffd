#pragma once
// Turning every token of every head. Angles are formed in double and rounded only as cosine and sine.

#include <cmath>
#include <vector>

#include "kernels/kernels.h"

namespace phasor::kernels {

/// Which channels form a pair.
enum class PairLayout {
  interleaved,  ///< (2t, 2t + 1)
  half_split,   ///< (t, t + pairs)
};

/// One pair of one token: turned by `angle`, then multiplied by `gain`.
struct Turn {
  double angle = 0;
  double gain = 1;
};

/// Whether vectors are turned, or gradients turned back: the transpose of gain * R(angle) is gain * R(-angle).
enum class Direction { forward, transposed };

/// Turns the first 2 * pairs channels of heads [first, last) of x (heads, tokens, width) in place; `turn_of(token, t)` says how.
template <class TurnOf>
void turn_tokens(PairLayout layout, Direction direction, int pairs, Tensor& x, int first, int last, TurnOf turn_of) {
  const auto kernel = layout == PairLayout::interleaved ? active::rotate_interleaved : active::rotate_half_split;
  const double sign = direction == Direction::forward ? 1.0 : -1.0;
  std::vector<float> cosine(static_cast<std::size_t>(pairs)), sine(static_cast<std::size_t>(pairs));
  for (int token = 0; token < x.shape[1]; ++token) {
    for (int t = 0; t < pairs; ++t) {
      const Turn turn = turn_of(token, t);
      cosine[static_cast<std::size_t>(t)] = static_cast<float>(turn.gain * std::cos(turn.angle));
      sine[static_cast<std::size_t>(t)] = static_cast<float>(turn.gain * sign * std::sin(turn.angle));
    }
    for (int head = first; head < last; ++head) kernel(matrix(x, head).row(token), cosine.data(), sine.data(), pairs);
  }
}

/// The same for all heads.
template <class TurnOf>
void turn_tokens(PairLayout layout, Direction direction, int pairs, Tensor& x, TurnOf turn_of) {
  turn_tokens(layout, direction, pairs, x, 0, x.shape[0], turn_of);
}

}  // namespace phasor::kernels
