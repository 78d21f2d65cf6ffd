#include "kernels/rotate_tokens.h"

#include <algorithm>
#include <vector>

#include "kernels/kernels.h"

namespace phasor::kernels {

void rotate_tokens(PairLayout layout, Direction direction, int pairs, Tensor& x, int first, int last, WriteRotation write, void* self) {
  // So many tokens of one head are next to each other in memory, and their cosines and sines stay in the nearest cache.
  constexpr int kTokens = 16;
  const auto kernel = layout == PairLayout::interleaved ? active::rotate_interleaved : active::rotate_half_split;
  const std::size_t size = static_cast<std::size_t>(kTokens) * static_cast<std::size_t>(pairs);
  std::vector<float> cosine(size), sine(size);
  for (int start = 0; start < x.shape[1]; start += kTokens) {
    const int tokens = std::min(kTokens, x.shape[1] - start);
    for (int n = 0; n < tokens; ++n) write(self, start + n, cosine.data() + n * pairs, sine.data() + n * pairs);
    if (direction == Direction::transposed) {
      for (float& s : sine) s = -s;
    }
    for (int head = first; head < last; ++head) {
      for (int n = 0; n < tokens; ++n) {
        kernel(matrix(x, head).row(start + n), cosine.data() + n * pairs, sine.data() + n * pairs, pairs);
      }
    }
  }
}

}  // namespace phasor::kernels
