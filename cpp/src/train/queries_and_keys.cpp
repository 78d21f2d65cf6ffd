// Queries and keys of every head, as the projections of the layers have made them.

#include <algorithm>

#include "train/model.h"

namespace phasor {

QueriesAndKeys Model::queries_and_keys(const Activations& a) const {
  const int tokens = job_.size.tokens, width = job_.head_width;
  const std::vector<int> shape = {layers(), job_.heads, tokens, width};
  QueriesAndKeys out{Tensor(shape), Tensor(shape)};
  std::ptrdiff_t to = 0;
  for (const nn::SavedAttentionBlock& layer : a.attention) {
    const float* rows = layer.qkv.data();  // (tokens, 3 width of the model): q, k, v
    for (int head = 0; head < job_.heads; ++head) {
      for (int t = 0; t < tokens; ++t, to += width) {
        const float* q = rows + 3 * t * width_ + head * width;
        std::copy_n(q, width, out.q.data.begin() + to);
        std::copy_n(q + width_, width, out.k.data.begin() + to);
      }
    }
  }
  return out;
}

}  // namespace phasor
