#pragma once
// Compares the *_backward functions with central differences of the oracle in double, for every
// injection point: the loss L is the sum of the expected results times fixed values. Every input of
// L is varied: learned parameters, queries, keys and the weights passed to add_values. Tables added
// to embeddings have no oracle: their L is a sum of float32 values, exact to about 1e-6, and a
// slope over 2 / 128 is exact to about 1e-4.

#include <gtest/gtest.h>

#include "gradient_blocks.h"
#include "learned.h"
#include "numbers.h"
#include "reference.h"

namespace phasor::test {

struct GradientCase {
  EncodingConfig config;
  int heads = 2, head_dim = 6, v_head_dim = 5, axes = 1;
  std::vector<double> queries = {2, 3, 4, 5}, keys = {0, 1, 2, 3, 4, 5, 6};
  std::vector<std::uint8_t> key_mask{};
  /// The number of blocks of an array that are compared separately (gradient_blocks.h).
  std::size_t blocks = std::numeric_limits<std::size_t>::max();
  double influence = 0.01;  ///< lower bound of the largest gradient of a learned array
};

class GradientCheck {
 public:
  explicit GradientCheck(GradientCase c)
      : c_(std::move(c)), injection_(find_encoding(c_.config.id)->injection) {
    const int rows = query_positions().count(), keys = key_positions().count();
    q_ = dyadic(61, {c_.heads, rows, c_.head_dim});
    k_ = dyadic(62, {c_.heads, keys, c_.head_dim});
    weights_ = dyadic(63, {c_.heads, rows, keys});
    d_scores_ = dyadic(64, {c_.heads, rows, keys});
    d_output_ = dyadic(65, {c_.heads, rows, c_.v_head_dim});
    // Provides every learned parameter, so that it can be varied.
    const std::unique_ptr<Encoding> encoding = create();
    if (encoding == nullptr) return;
    for (const auto& [name, value] : learned_values(*encoding)) c_.config.params[name] = value;
    if (const TableEncoding* table = encoding->as_table())
      d_table_ = dyadic(66, {keys, table->table_dim(c_.head_dim)});
    const QueryKeyEncoding* transform = encoding->as_query_key();
    const int transformed_dim =
        transform != nullptr ? transform->transformed_dim(c_.head_dim) : c_.head_dim;
    d_q_ = dyadic(67, {c_.heads, rows, transformed_dim});
    d_k_ = dyadic(68, {c_.heads, keys, transformed_dim});
  }

  /// Returns the number of learned arrays that were compared.
  int run() {
    const std::unique_ptr<Encoding> encoding = create();
    if (encoding == nullptr) return 0;
    GradientSet gradients = backward(*encoding);
    for (const auto& [name, value] : learned_values(*encoding)) {
      if (!gradients.parameters.contains(name)) ADD_FAILURE() << c_.config.id << " " << name;
      if (!gradients.parameters.contains(name)) return 0;
      EXPECT_EQ(gradients.parameters.at(name).shape, value.shape) << c_.config.id << " " << name;
    }
    for (const auto& [name, gradient] : gradients.parameters) {
      compare(name, std::get<Tensor>(c_.config.params.at(name)), gradient);
      EXPECT_GT(largest_of(gradient), c_.influence)
          << c_.config.id << ": " << name << " has no influence";
    }
    compare("q", q_, gradients.q);
    compare("k", k_, gradients.k);
    compare("weights", weights_, gradients.weights);
    expect_sums(*encoding, gradients);
    return static_cast<int>(encoding->parameters().size());
  }

 private:
  struct GradientSet {
    Tensor q, k, weights;
    Gradients parameters;
  };

  Positions query_positions() const { return {c_.queries, c_.axes}; }
  Positions key_positions() const { return {c_.keys, c_.axes}; }

  EncodingDims geometry() const {
    return {.length = key_positions().count(),
            .dim = c_.head_dim,
            .heads = c_.heads,
            .axes = c_.axes,
            .v_head_dim = c_.v_head_dim};
  }

  std::unique_ptr<Encoding> create() const {
    std::unique_ptr<Encoding> encoding;
    const Status status = create_encoding(c_.config, geometry()).move_to(encoding);
    EXPECT_TRUE(status.ok()) << c_.config.id << ": " << status.message();
    return encoding;
  }

  static constexpr float kScale = 0.375f;

  ContentTile tile(int h) const {
    return {.head = h,
            .queries = query_positions(),
            .keys = key_positions(),
            .q = matrix(q_, h),
            .k = matrix(k_, h),
            .scale = kScale,
            .key_mask = c_.key_mask.empty() ? nullptr : &c_.key_mask};
  }

  Tensor compute_products(int h) const {
    Tensor scores({weights_.shape[1], weights_.shape[2]});
    for (int r = 0; r < scores.shape[0]; ++r) {
      for (int c = 0; c < scores.shape[1]; ++c) {
        for (int x = 0; x < c_.head_dim; ++x)
          matrix(scores).row(r)[c] += kScale * matrix(q_, h).row(r)[x] * matrix(k_, h).row(c)[x];
      }
    }
    return scores;
  }

  static double inner(const Tensor& a, const Tensor& d) {
    return std::transform_reduce(
        a.data.begin(), a.data.end(), d.data.begin(), 0.0, std::plus<>(),
        [](float x, float y) { return static_cast<double>(x) * static_cast<double>(y); });
  }

  double loss() const {
    if (injection_ == Injection::input) {
      Tensor table(d_table_.shape);
      create()->as_table()->table(key_positions(), matrix(table));
      return inner(table, d_table_);
    }
    const std::unique_ptr<Oracle> oracle = make_oracle(c_.config, geometry());
    if (oracle == nullptr) return NAN;
    if (injection_ == Injection::query_key) {
      return rotated_loss(*oracle, Role::query, c_.queries, q_, d_q_) +
             rotated_loss(*oracle, Role::key, c_.keys, k_, d_k_);
    }
    const Heads q = heads_of(q_), k = heads_of(k_);
    double sum = 0;
    for (int h = 0; h < c_.heads; ++h) {
      const auto head = static_cast<std::size_t>(h);
      for (std::size_t r = 0; r < c_.queries.size(); ++r) {
        const int row = static_cast<int>(r);
        const std::vector<Vector> all = products_of(q, k, r, static_cast<double>(kScale));
        const Vector contents =
                         oracle->content_terms({h, c_.queries[r], q[head][r], c_.keys, k[head],
                                                static_cast<double>(kScale), c_.key_mask, all}),
                     d_scores = row_of(d_scores_, row, h), d_output = row_of(d_output_, row, h),
                     weights = row_of(weights_, row, h);
        for (std::size_t j = 0; j < c_.keys.size(); ++j) {
          sum += d_scores[j] * (contents[j] + oracle->bias(h, c_.queries[r], c_.keys[j]));
          const Vector value = oracle->value(h, c_.queries[r], c_.keys[j]);
          if (!value.empty()) sum += weights[j] * dot(value, d_output);
        }
      }
    }
    return sum;
  }

  double rotated_loss(const Oracle& oracle, Role role, const std::vector<double>& positions,
                      const Tensor& x, const Tensor& d) const {
    const auto axes = static_cast<std::size_t>(c_.axes);
    double sum = 0;
    for (int h = 0; h < c_.heads; ++h) {
      for (int t = 0; t < x.shape[1]; ++t) {
        const std::span position =
            std::span(positions).subspan(static_cast<std::size_t>(t) * axes, axes);
        sum += dot(oracle.rotate(role, h, position, row_of(x, t, h)), row_of(d, t, h));
      }
    }
    return sum;
  }

  GradientSet backward(Encoding& encoding) const {
    GradientSet out{Tensor(q_.shape), Tensor(k_.shape), Tensor(weights_.shape), {}};
    accumulate(encoding, out);
    out.parameters = learned_gradients(encoding);
    return out;
  }

  void accumulate(Encoding& encoding, GradientSet& out) const {
    if (TableEncoding* table = encoding.as_table()) {
      table->table_backward(key_positions(), matrix(d_table_));
      return;
    }
    if (QueryKeyEncoding* transform = encoding.as_query_key()) {
      out.q = d_q_;
      out.k = d_k_;
      transform->transform_backward(Role::query, query_positions(), q_, out.q);
      transform->transform_backward(Role::key, key_positions(), k_, out.k);
      return;
    }
    if (HeadMixing* mixing = encoding.as_mixing()) return mix_heads_backward(*mixing, out);
    ScoreEncoding* bias = encoding.as_score_bias();
    ContentBias* content_bias = encoding.as_content_bias();
    for (int h = 0; h < c_.heads; ++h) {
      const ConstMatrixRef d_scores = matrix(d_scores_, h);
      if (bias != nullptr) bias->bias_backward(h, query_positions(), key_positions(), d_scores);
      const Tensor scores = compute_products(h);
      if (content_bias != nullptr)
        content_bias->content_backward(tile(h), matrix(scores), d_scores, matrix(out.q, h),
                                       matrix(out.k, h));
      if (KeyValueEncoding* values = encoding.as_value_bias()) {
        values->values_backward(h, query_positions(), key_positions(), matrix(weights_, h),
                                matrix(d_output_, h), matrix(out.weights, h));
      }
    }
    if (content_bias != nullptr) content_bias->finish_backward();
  }

  // Mixes all heads at once and propagates gradients of products to q and k.
  void mix_heads_backward(HeadMixing& mixing, GradientSet& out) const {
    const int pairs = weights_.shape[1] * weights_.shape[2];
    Tensor scores({c_.heads, pairs}), d_products(scores.shape);
    for (int h = 0; h < c_.heads; ++h) {
      const Tensor head_products = compute_products(h);
      std::copy(head_products.data.begin(), head_products.data.end(), matrix(scores).row(h));
    }
    mixing.mix_backward({query_positions(), key_positions(), matrix(std::as_const(scores))},
                        {d_scores_.data.data(), c_.heads, pairs, pairs}, matrix(d_products));
    for (int h = 0; h < c_.heads; ++h) {
      for (int index = 0; index < pairs; ++index) {
        const float slope = kScale * matrix(d_products).row(h)[index];
        const int r = index / weights_.shape[2], c = index % weights_.shape[2];
        for (int x = 0; x < c_.head_dim; ++x) {
          matrix(out.q, h).row(r)[x] += slope * matrix(k_, h).row(c)[x];
          matrix(out.k, h).row(c)[x] += slope * matrix(q_, h).row(r)[x];
        }
      }
    }
  }

  // Gradients must accumulate, because tiles, heads and layers share parameters.
  void expect_sums(Encoding& encoding, const GradientSet& first) const {
    GradientSet second = first;
    accumulate(encoding, second);
    const Gradients accumulated = learned_gradients(encoding);
    for (const auto& [name, gradient] : first.parameters) {
      std::vector<double> expected(gradient.data.begin(), gradient.data.end());
      for (double& x : expected) x *= 2;
      EXPECT_LT(largest_error(accumulated.at(name).data, expected), 1e-4)
          << c_.config.id << " " << name;
    }
  }

  void compare(const std::string& name, Tensor& parameter, const Tensor& gradient) const {
    const bool exact = injection_ != Injection::input;
    const SlopeRule rule = exact ? kExact : kRounded;
    const WorstBlock worst =
        worst_block(parameter, gradient, rule, c_.blocks, [this] { return loss(); });
    EXPECT_LT(worst.error, rule.tolerance)
        << c_.config.id << ": " << name << ", " << worst.location;
  }

  GradientCase c_;
  Injection injection_;
  Tensor q_, k_, weights_, d_scores_, d_output_, d_table_, d_q_, d_k_;
};

inline int expect_gradients(GradientCase c) { return GradientCheck(std::move(c)).run(); }

}  // namespace phasor::test
