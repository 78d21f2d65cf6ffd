#include "sinusoid/rotate_tokens.h"

#include <algorithm>
#include <vector>

#include "kernels/kernels.h"
#include "sinusoid/sinusoid_rows.h"

namespace phasor {

namespace {

// Number of tokens that are rotated together. The cosines and sines of a block fit into the L1
// cache.
constexpr int kTokensPerBlock = 16;

}  // namespace

// Returns the bytes needed for up to three SinusoidRows with their inputs, and for the cosines and
// sines of a block of tokens.
double rotation_bytes(int dim) {
  constexpr double kBytesPerPair = 3 * SinusoidRows::kBytesPerFrequency + 8 * sizeof(double) +
                                   2 * kTokensPerBlock * sizeof(float);
  return kBytesPerPair * dim / 2;
}

void rotate_tokens(PairLayout layout, RotationDirection direction, int pairs, Tensor& x,
                   int head_begin, int head_end, RotationWriter write, void* context, int channel) {
  const auto kernel = layout == PairLayout::interleaved ? kernels::active::rotate_interleaved
                                                        : kernels::active::rotate_half_split;
  const std::size_t block_size =
      static_cast<std::size_t>(kTokensPerBlock) * static_cast<std::size_t>(pairs);
  std::vector<float> cosine(block_size), sine(block_size);
  for (int begin = 0; begin < x.shape[1]; begin += kTokensPerBlock) {
    const int tokens = std::min(kTokensPerBlock, x.shape[1] - begin);
    for (int n = 0; n < tokens; ++n)
      write(context, begin + n, cosine.data() + n * pairs, sine.data() + n * pairs);
    if (direction == RotationDirection::transposed) {
      for (float& s : sine) s = -s;
    }
    for (int head = head_begin; head < head_end; ++head) {
      for (int n = 0; n < tokens; ++n) {
        kernel(matrix(x, head).row(begin + n) + channel, cosine.data() + n * pairs,
               sine.data() + n * pairs, pairs);
      }
    }
  }
}

}  // namespace phasor
