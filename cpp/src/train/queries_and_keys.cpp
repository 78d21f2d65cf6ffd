#include <algorithm>

#include "nn/transformed_heads.h"
#include "train/transformer.h"

namespace phasor {

QueriesAndKeys TransformerNetwork::queries_and_keys(const Activations& a) const {
  const int tokens = attention_params_.size.tokens, head_dim = attention_params_.head_dim;
  const std::vector<int> shape = {layer_count(), attention_params_.heads, tokens, head_dim};
  QueriesAndKeys out{Tensor(shape), Tensor(shape)};
  nn::SavedAttention saved;
  saved.inverse_rms = Buffer(2 * static_cast<std::size_t>(attention_params_.heads) *
                             static_cast<std::size_t>(tokens));
  Tensor heads({attention_params_.heads, tokens, head_dim});
  for (std::size_t n = 0; n < layers_.size(); ++n) {
    nn::BatchedAttentionParams params = make_attention_params(n);
    params.size.items = 1;
    const ConstMatrixRef qkv{a.attention[n].qkv.data(), tokens, 3 * embed_dim_, 3 * embed_dim_};
    for (const int qkv_index : {0, 1}) {
      nn::gather_heads(params, qkv, qkv_index, saved, heads);
      Tensor& to = qkv_index == 0 ? out.q : out.k;
      std::copy(heads.data.begin(), heads.data.end(),
                to.data.begin() + static_cast<std::ptrdiff_t>(n * heads.data.size()));
    }
  }
  return out;
}

}  // namespace phasor
