// Queries and keys of all heads, after the projections and norms.

#include <algorithm>

#include "nn/transformed_heads.h"
#include "train/transformer.h"

namespace phasor {

QueriesAndKeys Model::queries_and_keys(const Activations& a) const {
  const int tokens = job_.size.tokens, head_dim = job_.head_dim;
  const std::vector<int> shape = {layers(), job_.heads, tokens, head_dim};
  QueriesAndKeys out{Tensor(shape), Tensor(shape)};
  nn::SavedAttention saved;
  saved.inverse_rms =
      Buffer(2 * static_cast<std::size_t>(job_.heads) * static_cast<std::size_t>(tokens));
  Tensor heads({job_.heads, tokens, head_dim});
  for (std::size_t n = 0; n < layers_.size(); ++n) {
    nn::BatchedAttentionParams job = job_of(n);
    job.size.items = 1;
    const ConstMatrixRef qkv{a.attention[n].qkv.data(), tokens, 3 * embed_dim_, 3 * embed_dim_};
    for (const int part : {0, 1}) {
      nn::gather_heads(job, qkv, part, saved, heads);
      Tensor& to = part == 0 ? out.q : out.k;
      std::copy(heads.data.begin(), heads.data.end(),
                to.data.begin() + static_cast<std::ptrdiff_t>(n * heads.data.size()));
    }
  }
  return out;
}

}  // namespace phasor
