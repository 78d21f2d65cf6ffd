#pragma once
// PaTH by its definition: the product of a query and a key that later tokens reflect.

#include "token_reference.h"

namespace phasor::test::path_test {

inline CausalInputs inputs(int heads, int kv_heads, int queries, int keys, int head_dim = 4) {
  CausalInputs in{.config = {.encoding = {.id = "path", .params = {}}, .mask = Mask::causal},
                  .q = dyadic(21, {heads, queries, head_dim}),
                  .k = dyadic(22, {kv_heads, keys, head_dim}),
                  .v = dyadic(23, {kv_heads, keys, head_dim + 1})};
  in.config.token_tensors["w"] = dyadic(24, {kv_heads, keys, head_dim});
  Tensor beta = dyadic(25, {kv_heads, keys});
  for (float& b : beta.data) b = 1 + 0.5f * b;  // from 0 to 2
  in.config.token_tensors["beta"] = beta;
  return in;
}

inline void add_gates(CausalInputs& in) {
  Tensor gates = dyadic(26, {in.q.shape[0], in.k.shape[1]});
  for (float& x : gates.data) x = std::min(0.0f, 0.25f * x);
  in.config.token_tensors["log_gates"] = gates;
}

// The key is reflected by every token after it up to the query.
inline double key_product(const CausalInputs& in, int head, int i, int j, bool normalise = true,
                          double eps = 1e-6) {
  std::vector<double> k = in.key(head, j);
  // Looked up once, since every token between the key and the query uses them.
  const ConstMatrixRef directions = matrix(in.config.token_tensors.at("w"), in.kv_head(head));
  const Tensor& beta = in.config.token_tensors.at("beta");  // (H_kv, T)
  const float* betas = beta.data.data() + in.kv_head(head) * beta.shape[1];
  for (int t = j + 1; t <= i; ++t) {
    const float* w = directions.row(t);
    double square = 0, along = 0;
    for (std::size_t c = 0; c < k.size(); ++c) {
      square += static_cast<double>(w[c]) * static_cast<double>(w[c]);
      along += static_cast<double>(w[c]) * k[c];
    }
    const double step = static_cast<double>(betas[t]) * along / (normalise ? square + eps : 1);
    for (std::size_t c = 0; c < k.size(); ++c) k[c] -= step * static_cast<double>(w[c]);
  }
  return dot_of(in.query(head, i), k) / std::sqrt(in.head_dim());
}

inline double score(const CausalInputs& in, int head, int i, int j) {
  return key_product(in, head, i, j);
}

inline double gated_score(const CausalInputs& in, int head, int i, int j) {
  double sum = key_product(in, head, i, j);
  for (int l = j + 1; l <= i; ++l)
    sum += in.token("log_gates", {head, l}) / std::sqrt(in.head_dim());
  return sum;
}

}  // namespace phasor::test::path_test
