#pragma once
// The *_gradient hooks against central differences of the forward hooks, whatever the injection point is:
// L = sum of what the hooks give times fixed numbers, summed in double. Every number that L depends on is moved: trained
// parameters, queries, keys and the weights that add_values is given.
//
// Tolerance: L is a sum of about a hundred float32 numbers of size 10 at most, so it is known to about 1e-5, and a slope over
// 2 / 128 to about 1e-3. A smaller step meets fewer kinks (slope_along.h) but shows more of the rounding.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <limits>
#include <numeric>

#include "numbers.h"
#include "phasor/registry.h"
#include "slope_along.h"

namespace phasor::test {

struct GradientCase {
  EncodingConfig config;
  int heads = 2, width = 6, value_width = 5, axes = 1;
  std::vector<double> queries = {2, 3, 4, 5}, keys = {0, 1, 2, 3, 4, 5, 6};
  std::vector<std::uint8_t> key_mask{};
  std::vector<double> steps = {1.0 / 128, 1.0 / 512, 1.0 / 2048, 1.0 / 8192};
  double tolerance = 2e-3;
  /// How many numbers of an array are moved one by one, half of them those with the largest gradients. Whatever the limit, all
  /// are moved at once in two random directions.
  int entries = std::numeric_limits<int>::max();
  double influence = 0.01;  ///< the largest slope of a trained array is above this
};

class GradientCheck {
 public:
  explicit GradientCheck(GradientCase c) : c_(std::move(c)), injection_(find(c_.config.id)->injection) {
    const int rows = query_positions().count(), keys = key_positions().count();
    q_ = dyadic(61, {c_.heads, rows, c_.width});
    k_ = dyadic(62, {c_.heads, keys, c_.width});
    weights_ = dyadic(63, {c_.heads, rows, keys});
    d_scores_ = dyadic(64, {c_.heads, rows, keys});
    d_output_ = dyadic(65, {c_.heads, rows, c_.value_width});
    // From here on every trained number is a given one, so that it can be moved.
    const std::unique_ptr<Encoding> encoding = make();
    if (encoding == nullptr) return;
    for (const auto& [name, tensor] : encoding->learned()) c_.config.params[name] = *tensor;
    d_table_ = dyadic(66, {keys, encoding->table_width(c_.width)});
    d_q_ = dyadic(67, q_.shape);
    d_k_ = dyadic(68, k_.shape);
  }

  /// Returns how many arrays of trained numbers were compared.
  int run() {
    const std::unique_ptr<Encoding> encoding = make();
    if (encoding == nullptr) return 0;
    Slopes slopes = backward(*encoding);
    for (const auto& [name, tensor] : encoding->learned()) {
      EXPECT_EQ(slopes.parameters[name].shape, tensor->shape) << c_.config.id << " " << name;
      if (slopes.parameters[name].shape != tensor->shape) return 0;
    }
    for (const auto& [name, gradient] : slopes.parameters) {  // CoPE's keys of the gates are given, but not trained
      const double largest = compare(name, std::get<Tensor>(c_.config.params.at(name)), gradient);
      EXPECT_GT(largest, c_.influence) << c_.config.id << ": " << name << " has no influence";
    }
    compare("q", q_, slopes.q);
    compare("k", k_, slopes.k);
    compare("weights", weights_, slopes.weights);
    expect_sums(*encoding, slopes);
    return static_cast<int>(encoding->learned().size());
  }

 private:
  struct Slopes {
    Tensor q, k, weights;
    Gradients parameters;
  };

  Positions query_positions() const { return {c_.queries, c_.axes}; }
  Positions key_positions() const { return {c_.keys, c_.axes}; }

  std::unique_ptr<Encoding> make() const {
    std::unique_ptr<Encoding> encoding;
    const Status status =
        create(c_.config,
               {.length = key_positions().count(), .width = c_.width, .heads = c_.heads, .axes = c_.axes, .value_width = c_.value_width})
            .move_to(encoding);
    EXPECT_TRUE(status.ok()) << c_.config.id << ": " << status.message;
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

  Tensor products(int h) const {
    Tensor scores({weights_.shape[1], weights_.shape[2]});
    for (int r = 0; r < scores.shape[0]; ++r) {
      for (int c = 0; c < scores.shape[1]; ++c) {
        for (int x = 0; x < c_.width; ++x) matrix(scores).row(r)[c] += kScale * matrix(q_, h).row(r)[x] * matrix(k_, h).row(c)[x];
      }
    }
    return scores;
  }

  // sum of a * d
  static double inner(const Tensor& a, const Tensor& d) {
    return std::transform_reduce(a.data.begin(), a.data.end(), d.data.begin(), 0.0, std::plus<>(),
                                 [](float x, float y) { return static_cast<double>(x) * static_cast<double>(y); });
  }

  double loss() const {
    const std::unique_ptr<Encoding> encoding = make();
    if (injection_ == Injection::input) {
      Tensor table(d_table_.shape);
      encoding->table(key_positions(), matrix(table));
      return inner(table, d_table_);
    }
    if (injection_ == Injection::query_key) {
      Tensor q = q_, k = k_;
      encoding->transform(Role::query, query_positions(), q);
      encoding->transform(Role::key, key_positions(), k);
      return inner(q, d_q_) + inner(k, d_k_);
    }
    double sum = 0;
    for (int h = 0; h < c_.heads; ++h) {
      Tensor scores = products(h), bias(scores.shape), output({d_output_.shape[1], d_output_.shape[2]});
      const Tensor before = scores;
      encoding->add_content(tile(h), matrix(scores));
      encoding->add_bias(h, query_positions(), key_positions(), matrix(bias));
      encoding->add_values(h, query_positions(), key_positions(), matrix(weights_, h), matrix(output));
      for (int r = 0; r < scores.shape[0]; ++r) {
        for (int c = 0; c < scores.shape[1]; ++c) {
          const auto at = [&](const Tensor& t) { return static_cast<double>(matrix(t).row(r)[c]); };
          sum += static_cast<double>(matrix(d_scores_, h).row(r)[c]) * (at(scores) - at(before) + at(bias));
        }
        for (int c = 0; c < c_.value_width; ++c) {
          sum += static_cast<double>(matrix(d_output_, h).row(r)[c]) * static_cast<double>(matrix(output).row(r)[c]);
        }
      }
    }
    return sum;
  }

  // dL / d(everything), by the hooks.
  Slopes backward(const Encoding& encoding) const {
    Slopes out{Tensor(q_.shape), Tensor(k_.shape), Tensor(weights_.shape), {}};
    accumulate(encoding, out);
    return out;
  }

  void accumulate(const Encoding& encoding, Slopes& out) const {
    if (injection_ == Injection::input) return encoding.table_gradient(key_positions(), matrix(d_table_), out.parameters);
    if (injection_ == Injection::query_key) {
      out.q = d_q_;
      out.k = d_k_;
      encoding.transform_gradient(Role::query, query_positions(), q_, out.q, out.parameters);
      encoding.transform_gradient(Role::key, key_positions(), k_, out.k, out.parameters);
      return;
    }
    for (int h = 0; h < c_.heads; ++h) {
      const ConstMatrixRef d_scores = matrix(d_scores_, h);
      if (injection_ == Injection::score) encoding.bias_gradient(h, query_positions(), key_positions(), d_scores, out.parameters);
      const Tensor scores = products(h);
      encoding.content_gradient(tile(h), matrix(scores), d_scores, matrix(out.q, h), matrix(out.k, h), out.parameters);
      encoding.values_gradient(h, query_positions(), key_positions(), matrix(weights_, h), matrix(d_output_, h), matrix(out.weights, h),
                               out.parameters);
    }
  }

  // The hooks add to what is there, because a parameter is shared by tiles, heads and layers.
  void expect_sums(const Encoding& encoding, const Slopes& once) const {
    Slopes twice = once;
    accumulate(encoding, twice);
    for (const auto& [name, gradient] : once.parameters) {
      std::vector<double> doubled(gradient.data.begin(), gradient.data.end());
      for (double& x : doubled) x *= 2;
      EXPECT_LT(largest_error(twice.parameters.at(name).data, doubled), 1e-4) << c_.config.id << " " << name;
    }
  }

  // The numbers that are moved one by one.
  std::vector<std::size_t> chosen(const Tensor& gradient) const {
    std::vector<std::size_t> all(gradient.data.size());
    std::iota(all.begin(), all.end(), std::size_t{0});
    const auto limit = static_cast<std::size_t>(c_.entries);
    if (all.size() <= limit) return all;
    std::stable_sort(all.begin(), all.end(),
                     [&](std::size_t a, std::size_t b) { return std::fabs(gradient.data[a]) > std::fabs(gradient.data[b]); });
    SplitMix64 random(69);
    for (std::size_t i = limit / 2; i < limit; ++i) std::swap(all[i], all[i + random.next() % (all.size() - i)]);
    all.resize(limit);
    return all;
  }

  Slope along(Tensor& parameter, const Tensor& gradient, const std::vector<float>& direction) const {
    return slope_along(parameter, gradient, direction, c_.steps, c_.tolerance, [this] { return loss(); });
  }

  // Returns the largest slope of one number.
  double compare(const std::string& name, Tensor& parameter, const Tensor& gradient) const {
    SplitMix64 random(70);
    for (int n = 0; n < 2; ++n) {
      const Slope slope = along(parameter, gradient, random_direction(parameter.data.size(), random));
      EXPECT_LT(slope.error, c_.tolerance) << c_.config.id << ": " << name << " along direction " << n << ", where differences give "
                                           << slope.value;
    }
    double largest = 0;
    std::vector<float> direction(parameter.data.size(), 0.0f);
    for (const std::size_t i : chosen(gradient)) {
      direction[i] = 1;
      const Slope slope = along(parameter, gradient, direction);
      EXPECT_LT(slope.error, c_.tolerance) << c_.config.id << ": " << name << "[" << i << "]: " << gradient.data[i] << ", differences give "
                                           << slope.value;
      direction[i] = 0;
      largest = std::max(largest, std::fabs(slope.value));
    }
    return largest;
  }

  GradientCase c_;
  Injection injection_;
  Tensor q_, k_, weights_, d_scores_, d_output_, d_table_, d_q_, d_k_;
};

inline int expect_gradients(GradientCase c) { return GradientCheck(std::move(c)).run(); }

}  // namespace phasor::test
