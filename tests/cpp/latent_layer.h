#pragma once
// A layer of multi-head latent attention (DeepSeek-V2, 2024, arXiv 2405.04434, section 2.1): its
// formula in double, and its inputs for caches of heads and of latents.

#include <cmath>

#include "cache_steps.h"
#include "head_products.h"
#include "phasor/phasor.h"

namespace phasor::test::latent_cache_test {

inline constexpr double kBase = 1000;

// content (heads, tokens, content), rotary (heads, tokens, rotary), latent (1, tokens, latent),
// key_rotary (1, tokens, rotary), key_up (heads, latent, content), value_up (heads, latent, values)
struct Layer {
  Tensor content, rotary, latent, key_rotary, key_up, value_up;
  bool half_split = false;
  std::optional<int> window{};
  std::vector<std::uint8_t> key_mask{};

  int heads() const { return content.shape[0]; }
  int tokens() const { return content.shape[1]; }
  int content_dim() const { return content.shape[2]; }
  int rotary_dim() const { return rotary.shape[2]; }
  int latent_dim() const { return latent.shape[2]; }
  int v_head_dim() const { return value_up.shape[2]; }
  double scale() const { return 1 / std::sqrt(static_cast<double>(content_dim() + rotary_dim())); }
};

struct Shape {
  int heads, tokens, content, rotary, latent, values;
};

inline Layer create_layer(const Shape& s, std::uint64_t seed) {
  Layer layer{.content = dyadic(seed, {s.heads, s.tokens, s.content}),
              .rotary = dyadic(seed + 1, {s.heads, s.tokens, s.rotary}),
              .latent = dyadic(seed + 2, {1, s.tokens, s.latent}),
              .key_rotary = dyadic(seed + 3, {1, s.tokens, s.rotary}),
              .key_up = dyadic(seed + 4, {s.heads, s.latent, s.content}),
              .value_up = dyadic(seed + 5, {s.heads, s.latent, s.values})};
  for (Tensor* projection : {&layer.key_up, &layer.value_up}) {
    for (float& x : projection->data) x *= 0.5f;
  }
  return layer;
}

inline double element(const Tensor& t, int head, int row, int column) {
  return static_cast<double>(matrix(t, head).row(row)[column]);
}

// rope(q).rope(k), which depends only on the relative position.
inline double rotary_product(const Layer& in, int head, int i, int j) {
  const int pairs = in.rotary_dim() / 2;
  double sum = 0;
  for (int m = 0; m < pairs; ++m) {
    const int a = in.half_split ? m : 2 * m, b = in.half_split ? m + pairs : 2 * m + 1;
    const double angle = (i - j) * std::pow(kBase, -static_cast<double>(m) / pairs);
    const double qa = element(in.rotary, head, i, a), qb = element(in.rotary, head, i, b),
                 ka = element(in.key_rotary, 0, j, a), kb = element(in.key_rotary, 0, j, b);
    sum += (qa * ka + qb * kb) * std::cos(angle) + (qa * kb - qb * ka) * std::sin(angle);
  }
  return sum;
}

// The output (heads, tokens, values).
inline std::vector<double> reference_output(const Layer& in) {
  std::vector<double> out;
  // One channel of the up-projected latent of token j.
  const auto project_up = [&](const Tensor& m, int head, int j, int column) {
    double sum = 0;
    for (int n = 0; n < in.latent_dim(); ++n)
      sum += element(in.latent, 0, j, n) * element(m, head, n, column);
    return sum;
  };
  for (int h = 0; h < in.heads(); ++h) {
    for (int i = 0; i < in.tokens(); ++i) {
      std::vector<double> row(static_cast<std::size_t>(in.v_head_dim()));
      double total = 0;
      for (int j = 0; j <= i; ++j) {
        if (in.window && i - j >= *in.window) continue;
        if (!in.key_mask.empty() && in.key_mask[static_cast<std::size_t>(j)] == 0) continue;
        double score = rotary_product(in, h, i, j);
        for (int c = 0; c < in.content_dim(); ++c)
          score += element(in.content, h, i, c) * project_up(in.key_up, h, j, c);
        const double weight = std::exp(in.scale() * score);
        total += weight;
        for (int c = 0; c < in.v_head_dim(); ++c)
          row[static_cast<std::size_t>(c)] += weight * project_up(in.value_up, h, j, c);
      }
      for (const double x : row) out.push_back(total > 0 ? x / total : 0);
    }
  }
  return out;
}

struct CacheCase {
  CacheConfig config;
  Inputs in;
  Tensor value_up;  // projects the output; empty: none
};

inline CacheConfig cache_config(const Layer& in, int kv_heads, int before, int values) {
  return {
      .heads = in.heads(),
      .kv_heads = kv_heads,
      .head_dim = before + in.rotary_dim(),
      .v_head_dim = values,
      .max_length = in.tokens(),
      .encoding = {.id = "rope",
                   .params = {{"base", kBase},
                              {"layout", std::string(in.half_split ? "half_split" : "interleaved")},
                              {"rotary_offset", static_cast<double>(before)}}},
      .window = in.window,
      .scale = in.scale()};
}

inline CacheCase make_head_cache(const Layer& in) {
  return {cache_config(in, in.heads(), in.content_dim(), in.v_head_dim()),
          {concatenate_channels(in.content, in.rotary),
           concatenate_channels(multiply_heads(in.latent, in.key_up, false), in.key_rotary),
           multiply_heads(in.latent, in.value_up, false)},
          {}};
}

inline CacheCase make_latent_cache(const Layer& in) {
  return {cache_config(in, 1, in.latent_dim(), in.latent_dim()),
          {concatenate_channels(multiply_heads(in.content, in.key_up, true), in.rotary),
           concatenate_channels(in.latent, in.key_rotary), in.latent},
          in.value_up};
}

inline DecodeConfig make_decode_config(const Layer& in, int first, int count) {
  DecodeConfig step;
  if (!in.key_mask.empty())
    step.key_mask = {in.key_mask.begin() + first, in.key_mask.begin() + first + count};
  return step;
}

}  // namespace phasor::test::latent_cache_test
