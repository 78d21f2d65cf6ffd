#pragma once
// A reference of selective RoPE in double, with provided steps or with steps that a layer computes
// from its embeddings.

#include "token_reference.h"

namespace phasor::test::rope_selective_test {

inline constexpr double kBase = 100;

inline CausalInputs inputs(int heads, int queries, int keys, int head_dim = 8) {
  CausalInputs in{.config = {.encoding = {.id = "rope_selective", .params = {{"base", kBase}}},
                             .mask = Mask::causal},
                  .q = dyadic(41, {heads, queries, head_dim}),
                  .k = dyadic(42, {heads, keys, head_dim}),
                  .v = dyadic(43, {heads, keys, head_dim + 1})};
  in.config.token_tensors["steps"] = dyadic(44, {heads, keys, head_dim / 2});
  return in;
}

// Half-split pairs are rotated by the sum of the steps of the tokens after the key.
inline double score(const CausalInputs& in, int head, int i, int j) {
  const std::vector<double> q = in.query(head, i), k = in.key(head, j);
  const std::size_t pairs = q.size() / 2;
  double sum = 0;
  for (std::size_t m = 0; m < pairs; ++m) {
    double angle = 0;
    for (int l = j + 1; l <= i; ++l)
      angle += (in.config.token_tensors.contains("gate") ? in.token("gate", {head, l}) : 1.0) *
               in.token("steps", {head, l, static_cast<int>(m)});
    angle *= std::pow(kBase, -static_cast<double>(m) / static_cast<double>(pairs));
    sum += (q[m] * k[m] + q[m + pairs] * k[m + pairs]) * std::cos(angle) +
           (q[m] * k[m + pairs] - q[m + pairs] * k[m]) * std::sin(angle);
  }
  return sum / std::sqrt(in.head_dim());
}

inline constexpr int kTokens = 19, kEmbedDim = 12, kHeads = 2, kHead = kEmbedDim / kHeads,
                     kPairs = kHead / 2, kRank = 3;

inline EncodingConfig make_encoding(bool has_bias, bool has_gate) {
  const auto scaled_values = [](std::uint64_t seed, std::vector<int> shape) {
    Tensor t = dyadic(seed, std::move(shape));
    for (float& value : t.data) value *= 0.5f;
    return t;
  };
  EncodingConfig config{.id = "rope_selective",
                        .params = {{"base", kBase},
                                   {"rank", static_cast<double>(kRank)},
                                   {"phi_down", scaled_values(32, {kRank, kEmbedDim})},
                                   {"phi_up", scaled_values(33, {kHeads * kPairs, kRank})},
                                   {"phi_conv", scaled_values(34, {kHeads * kPairs, 4})}}};
  if (has_bias) {
    config.params["biased"] = true;
    config.params["phi_bias"] = scaled_values(35, {kHeads, kPairs});
  }
  if (has_gate) {
    config.params["gated"] = true;
    config.params["gate_weight"] = scaled_values(36, {kHeads, kEmbedDim});
    config.params["gate_bias"] = scaled_values(37, {kHeads});
  }
  return config;
}

// Inputs of attention from the authors' projections of x, in double until steps are stored.
inline CausalInputs project_inputs(const Tensor& x, const EncodingConfig& encoding) {
  const auto number = [&](const char* name, int row, int column) {
    return static_cast<double>(matrix(std::get<Tensor>(encoding.params.at(name))).row(row)[column]);
  };
  const bool has_bias = encoding.params.contains("phi_bias"),
             has_gate = encoding.params.contains("gate_weight");
  double y[kTokens][kEmbedDim], low[kTokens][kRank] = {}, high[kTokens][kHeads * kPairs] = {};
  CausalInputs in = inputs(kHeads, kTokens, kTokens, kHead);
  if (has_gate) in.config.token_tensors["gate"] = Tensor({kHeads, kTokens});
  for (int t = 0; t < kTokens; ++t) {
    const float* projected = matrix(x).row(t);
    for (int h = 0; h < kHeads; ++h) {
      double squared_norm = 1e-6;
      for (int c = 0; c < kHead; ++c)
        squared_norm += std::pow(static_cast<double>(projected[h * kHead + c]), 2);
      for (int c = 0; c < kHead; ++c) {
        y[t][h * kHead + c] =
            static_cast<double>(projected[h * kHead + c]) / std::sqrt(squared_norm);
        for (Tensor* tensor : {&in.q, &in.k})
          matrix(*tensor, h).row(t)[c] = projected[h * kHead + c];
      }
    }
    for (int r = 0; r < kRank; ++r) {
      for (int c = 0; c < kEmbedDim; ++c) low[t][r] += number("phi_down", r, c) * y[t][c];
    }
    for (int n = 0; n < kHeads * kPairs; ++n) {
      for (int r = 0; r < kRank; ++r) high[t][n] += number("phi_up", n, r) * low[t][r];
      double step = has_bias ? std::exp(number("phi_bias", n / kPairs, n % kPairs)) : 0;
      for (int tap = 0; tap < 4 && tap <= t; ++tap)
        step += number("phi_conv", n, 3 - tap) * high[t - tap][n];
      matrix(in.config.token_tensors.at("steps"), n / kPairs).row(t)[n % kPairs] =
          static_cast<float>(step);
    }
    for (int h = 0; has_gate && h < kHeads; ++h) {
      double logit = static_cast<double>(
          std::get<Tensor>(encoding.params.at("gate_bias")).data[static_cast<std::size_t>(h)]);
      for (int c = 0; c < kEmbedDim; ++c) logit += number("gate_weight", h, c) * y[t][c];
      matrix(in.config.token_tensors.at("gate")).row(h)[t] =
          static_cast<float>(1 / (1 + std::exp(-logit)));
    }
  }
  in.v = in.k;
  return in;
}

// The output of the layer (tokens, embed_dim), with the heads side by side.
inline std::vector<double> layer_formula(const Tensor& x, const EncodingConfig& encoding) {
  const std::vector<double> expected = reference_output(project_inputs(x, encoding), score);
  std::vector<double> out(expected.size());
  for (int t = 0; t < kTokens; ++t) {
    for (int c = 0; c < kEmbedDim; ++c)
      out[static_cast<std::size_t>(t * kEmbedDim + c)] =
          expected[static_cast<std::size_t>((c / kHead * kTokens + t) * kHead + c % kHead)];
  }
  return out;
}

}  // namespace phasor::test::rope_selective_test
