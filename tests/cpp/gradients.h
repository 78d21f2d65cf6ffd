#pragma once
// The *_gradient hooks against central differences of the forward hooks: L = sum of what the hook adds times fixed numbers.

#include <gtest/gtest.h>

#include <functional>

#include "numbers.h"
#include "phasor/registry.h"

namespace phasor::test {

struct GradientCase {
  EncodingConfig config;
  int heads = 2, width = 6, value_width = 5;
  std::vector<double> queries = {2, 3, 4, 5}, keys = {0, 1, 2, 3, 4, 5, 6};
  std::vector<std::uint8_t> key_mask{};
  double step = 1.0 / 128, tolerance = 2e-3;
};

class GradientCheck {
 public:
  explicit GradientCheck(GradientCase c) : c_(std::move(c)), injection_(find(c_.config.id)->injection) {
    const int rows = static_cast<int>(c_.queries.size()), keys = static_cast<int>(c_.keys.size());
    q_ = dyadic(61, {c_.heads, rows, c_.width});
    k_ = dyadic(62, {c_.heads, keys, c_.width});
    weights_ = dyadic(63, {c_.heads, rows, keys});
    d_scores_ = dyadic(64, {c_.heads, rows, keys});
    d_output_ = dyadic(65, {c_.heads, rows, c_.value_width});
    // From here on every trained number is a given one, so that it can be moved.
    const std::unique_ptr<Encoding> encoding = make();
    for (const auto& [name, tensor] : encoding->learned()) c_.config.params[name] = *tensor;
  }

  void run() {
    const std::unique_ptr<Encoding> encoding = make();
    Gradients gradients;
    Tensor d_q(q_.shape), d_k(k_.shape), d_weights(weights_.shape);
    for (int h = 0; h < c_.heads; ++h) {
      if (injection_ == Injection::score) encoding->bias_gradient(h, c_.queries, c_.keys, matrix(std::as_const(d_scores_), h), gradients);
      const Tensor scores = products(h);
      encoding->content_gradient(tile(h), matrix(scores), matrix(std::as_const(d_scores_), h), matrix(d_q, h), matrix(d_k, h), gradients);
      encoding->values_gradient(h, c_.queries, c_.keys, matrix(std::as_const(weights_), h), matrix(std::as_const(d_output_), h),
                                matrix(d_weights, h), gradients);
    }
    for (const auto& [name, tensor] : encoding->learned()) {
      Tensor& parameter = std::get<Tensor>(c_.config.params[name]);
      ASSERT_EQ(gradients[name].shape, tensor->shape) << name;
      compare(name, parameter, gradients[name]);
    }
    for (const auto& [name, gradient] : gradients) {  // arrays that are given but not trained (CoPE's keys of the gates)
      if (!encoding->learned().contains(name)) compare(name, std::get<Tensor>(c_.config.params.at(name)), gradient);
    }
    compare("q", q_, d_q);
    compare("k", k_, d_k);
    compare("weights", weights_, d_weights);
  }

 private:
  std::unique_ptr<Encoding> make() const {
    std::unique_ptr<Encoding> encoding;
    const Geometry geometry{
        .length = static_cast<int>(c_.keys.size()), .width = c_.width, .heads = c_.heads, .value_width = c_.value_width};
    const Status status = create(c_.config, geometry, encoding);
    EXPECT_TRUE(status.ok()) << status.message;
    return encoding;
  }

  static constexpr float kScale = 0.375f;

  ContentTile tile(int h) const {
    return {.head = h,
            .queries = c_.queries,
            .keys = c_.keys,
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

  double loss() const {
    const std::unique_ptr<Encoding> encoding = make();
    double sum = 0;
    for (int h = 0; h < c_.heads; ++h) {
      Tensor scores = products(h), bias(scores.shape), output({d_output_.shape[1], d_output_.shape[2]});
      const Tensor before = scores;
      encoding->add_content(tile(h), matrix(scores));
      encoding->add_bias(h, c_.queries, c_.keys, matrix(bias));
      encoding->add_values(h, c_.queries, c_.keys, matrix(weights_, h), matrix(output));
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

  void compare(const std::string& name, Tensor& parameter, const Tensor& gradient) {
    double largest = 0;
    for (std::size_t i = 0; i < parameter.data.size(); ++i) {
      const float kept = parameter.data[i], up = kept + static_cast<float>(c_.step), down = kept - static_cast<float>(c_.step);
      parameter.data[i] = up;
      const double above = loss();
      parameter.data[i] = down;
      const double below = loss();
      parameter.data[i] = kept;
      const double slope = (above - below) / (static_cast<double>(up) - static_cast<double>(down));
      EXPECT_LT(error(static_cast<double>(gradient.data[i]), slope), c_.tolerance)
          << name << "[" << i << "]: " << gradient.data[i] << ", differences give " << slope;
      largest = std::max(largest, std::fabs(slope));
    }
    if (name != "q" && name != "k" && name != "weights") {
      EXPECT_GT(largest, 0.01) << name << " has no influence";
    }
  }

  GradientCase c_;
  Injection injection_;
  Tensor q_, k_, weights_, d_scores_, d_output_;
};

inline void expect_gradients(GradientCase c) { GradientCheck(std::move(c)).run(); }

}  // namespace phasor::test
