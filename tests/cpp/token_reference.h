#pragma once
// Attention with encodings that depend on previous tokens, in double and by their formulas: a test
// defines the score of a query and a key, and the results of attention are compared with the ones
// that follow from it. No arithmetic is shared with the library.

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>

#include "numbers.h"
#include "phasor/phasor.h"
#include "results.h"

namespace phasor::test {

/// An attention call whose queries belong to the last keys.
struct CausalInputs {
  AttentionConfig config;
  Tensor q, k, v;

  int heads() const { return q.shape[0]; }
  int kv_head(int head) const { return head / (q.shape[0] / k.shape[0]); }
  int keys() const { return k.shape[1]; }
  int first() const { return k.shape[1] - q.shape[1]; }
  int head_dim() const { return q.shape[2]; }
  double token(const char* name, std::initializer_list<int> indices) const {
    const Tensor& t = config.token_tensors.at(name);
    std::size_t flat = 0, axis = 0;
    for (const int index : indices)
      flat = flat * static_cast<std::size_t>(t.shape[axis++]) + static_cast<std::size_t>(index);
    return static_cast<double>(t.data[flat]);
  }
  std::vector<double> query(int head, int token) const {
    const float* row = matrix(q, head).row(token - first());
    return {row, row + head_dim()};
  }
  std::vector<double> key(int head, int token) const {
    const float* row = matrix(k, kv_head(head)).row(token);
    return {row, row + head_dim()};
  }
};

/// The score of query token i of a head and key token j <= i, before any mask; NaN hides the key.
using ScoreOf = std::function<double(const CausalInputs&, int head, int i, int j)>;

inline double dot_of(const std::vector<double>& a, const std::vector<double>& b) {
  double sum = 0;
  for (std::size_t c = 0; c < a.size(); ++c) sum += a[c] * b[c];
  return sum;
}

inline bool is_visible(const CausalInputs& in, int i, int j) {
  return j <= i && (!in.config.window || i - j < *in.config.window) &&
         (in.config.key_mask.empty() || in.config.key_mask[static_cast<std::size_t>(j)] != 0);
}

/// (heads, queries, v_head_dim)
inline std::vector<double> reference_output(const CausalInputs& in, const ScoreOf& score) {
  std::vector<double> out;
  const int v_head_dim = in.v.shape[2];
  for (int h = 0; h < in.heads(); ++h) {
    for (int i = in.first(); i < in.keys(); ++i) {
      std::vector<double> scores(static_cast<std::size_t>(in.keys()), NAN);
      double largest = -HUGE_VAL;
      for (int j = 0; j <= i; ++j) {
        if (!is_visible(in, i, j)) continue;
        const double s = scores[static_cast<std::size_t>(j)] = score(in, h, i, j);
        if (!std::isnan(s)) largest = std::max(largest, s);
      }
      double sum = 0;
      std::vector<double> row(static_cast<std::size_t>(v_head_dim));
      for (int j = 0; j <= i; ++j) {
        const double s = scores[static_cast<std::size_t>(j)];
        if (std::isnan(s)) continue;
        const double weight = std::exp(s - largest);
        sum += weight;
        for (int c = 0; c < v_head_dim; ++c)
          row[static_cast<std::size_t>(c)] +=
              weight * static_cast<double>(matrix(in.v, in.kv_head(h)).row(j)[c]);
      }
      for (const double x : row) out.push_back(sum > 0 ? x / sum : 0);
    }
  }
  return out;
}

inline void expect_output(const CausalInputs& in, const ScoreOf& score, double tolerance = 4e-6) {
  const std::vector<double> expected = reference_output(in, score);
  AttentionConfig config = in.config;
  ASSERT_OK_AND_ASSIGN(const AttentionResult streamed, attention(in.q, in.k, in.v, config));
  EXPECT_LT(largest_error(streamed.output.data, expected), tolerance) << "streamed";
  config.outputs = {.weights = true};
  ASSERT_OK_AND_ASSIGN(const AttentionResult full_result, attention(in.q, in.k, in.v, config));
  EXPECT_LT(largest_error(full_result.output.data, expected), tolerance) << "whole rows";
}

/// The gradients of sum(output * d_output) against central differences of the formula, for some
/// values of each array.
inline void expect_gradients(CausalInputs in, const ScoreOf& score, double tolerance = 3e-4) {
  const Tensor d_output = dyadic(91, {in.q.shape[0], in.q.shape[1], in.v.shape[2]});
  ASSERT_OK_AND_ASSIGN(const AttentionGradients actual,
                       attention_backward(in.q, in.k, in.v, d_output, in.config));
  const auto loss = [&] {
    const std::vector<double> out = reference_output(in, score);
    double sum = 0;
    for (std::size_t i = 0; i < out.size(); ++i)
      sum += out[i] * static_cast<double>(d_output.data[i]);
    return sum;
  };
  const auto compare = [&](const std::string& name, Tensor& values, const Tensor& gradient) {
    ASSERT_EQ(values.shape, gradient.shape) << name;
    constexpr float kStep = 1.0f / 1024;
    const std::size_t count = values.data.size(), step = std::max<std::size_t>(1, count / 23);
    double largest = 0;
    for (std::size_t i = 0; i < count; i += step) {
      const float original_value = values.data[i];
      values.data[i] = original_value + kStep;
      const double loss_above = loss();
      values.data[i] = original_value - kStep;
      const double loss_below = loss();
      values.data[i] = original_value;
      const double finite_difference = (loss_above - loss_below) / (2 * static_cast<double>(kStep));
      EXPECT_NEAR(static_cast<double>(gradient.data[i]), finite_difference,
                  tolerance * (1 + std::fabs(finite_difference)))
          << name << "[" << i << "]";
      largest = std::max(largest, std::fabs(finite_difference));
    }
    EXPECT_GT(largest, 1e-3) << name << " has no influence";
  };
  compare("q", in.q, actual.d_q);
  compare("k", in.k, actual.d_k);
  compare("v", in.v, actual.d_v);
  ASSERT_EQ(actual.token_tensors.size(), in.config.token_tensors.size());
  for (auto& [name, tensor] : in.config.token_tensors)
    compare(name, tensor, actual.token_tensors.at(name));
}

/// Tokens [first, last) of x (.., tokens, ..).
inline Tensor tokens_of(const Tensor& x, int first, int last) {
  std::vector<int> shape = x.shape;
  shape[1] = last - first;
  Tensor out(shape);
  const std::size_t rest = numel(std::span(shape).subspan(2)),
                    tokens = static_cast<std::size_t>(x.shape[1]),
                    from = static_cast<std::size_t>(first);
  for (std::size_t h = 0; h < static_cast<std::size_t>(x.shape[0]); ++h) {
    std::copy_n(x.data.begin() + static_cast<std::ptrdiff_t>((h * tokens + from) * rest),
                static_cast<std::ptrdiff_t>(static_cast<std::size_t>(last - first) * rest),
                out.data.begin() +
                    static_cast<std::ptrdiff_t>(h * static_cast<std::size_t>(last - first) * rest));
  }
  return out;
}

/// A cache that decodes in these pieces gives the rows of attention; a fork that is truncated and
/// decodes a piece again gives the same bits. `in` must have as many queries as keys.
inline void expect_cache(const CausalInputs& in, const std::vector<int>& piece_sizes) {
  ASSERT_OK_AND_ASSIGN(const AttentionResult full_result, attention(in.q, in.k, in.v, in.config));
  CacheConfig config{.heads = in.heads(),
                     .kv_heads = in.k.shape[0],
                     .head_dim = in.head_dim(),
                     .v_head_dim = in.v.shape[2],
                     .max_length = in.keys(),
                     .encoding = in.config.encoding,
                     .window = in.config.window,
                     .scale = in.config.scale};
  ASSERT_OK_AND_ASSIGN(std::unique_ptr<KeyValueCache> cache, KeyValueCache::create(config));
  const auto decode_tokens = [&](KeyValueCache& target_cache, int first, int last) {
    DecodeConfig step;
    for (const auto& [name, tensor] : in.config.token_tensors)
      step.token_tensors[name] = tokens_of(tensor, first, last);
    if (!in.config.key_mask.empty())
      step.key_mask = {in.config.key_mask.begin() + first, in.config.key_mask.begin() + last};
    return target_cache.decode(tokens_of(in.q, first, last), tokens_of(in.k, first, last),
                               tokens_of(in.v, first, last), step);
  };
  int first = 0;
  for (const int piece_size : piece_sizes) {
    const int last = std::min(first + piece_size, in.keys());
    ASSERT_OK_AND_ASSIGN(const AttentionResult actual, decode_tokens(*cache, first, last));
    const Tensor rows = tokens_of(full_result.output, first, last);
    EXPECT_LT(
        largest_error(actual.output.data, std::vector<double>(rows.data.begin(), rows.data.end())),
        4e-6)
        << "tokens " << first << " to " << last;
    ASSERT_OK_AND_ASSIGN(std::unique_ptr<KeyValueCache> fork, cache->fork());
    ASSERT_TRUE(fork->truncate(first).ok());
    ASSERT_OK_AND_ASSIGN(const AttentionResult fork_result, decode_tokens(*fork, first, last));
    EXPECT_EQ(fork_result.output.data, actual.output.data) << "after truncation, from " << first;
    first = last;
  }
  EXPECT_EQ(first, in.keys());
}

inline std::string refusal_of(const CausalInputs& in) {
  return attention(in.q, in.k, in.v, in.config).status().message();
}

}  // namespace phasor::test
