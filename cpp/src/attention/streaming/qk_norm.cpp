#include "attention/streaming/qk_norm.h"

#include <cmath>
#include <numeric>
#include <vector>

#include "kernels/vector_ops.h"

namespace phasor {

double QkNorm::epsilon() const {
  return eps.value_or(norm == Norm::rms ? 1e-6 : norm == Norm::layer ? 1e-5 : 1e-12);
}

namespace {

// The vectors to normalise, in double. Each vector is one head of a token or all heads of a token.
class NormalisedVectors {
 public:
  NormalisedVectors(const QkNorm& norm, const Tensor& x)
      : heads_per_vector_(norm.over == QkNorm::Over::all_heads ? x.shape[0] : 1),
        groups_(x.shape[0] / heads_per_vector_),
        tokens_(x.shape[1]),
        dim_(x.shape[2]) {}

  int channels() const { return heads_per_vector_ * dim_; }

  template <class F>
  void for_each(F&& f) const {
    for (int group = 0; group < groups_; ++group) {
      for (int token = 0; token < tokens_; ++token) f(group, token);
    }
  }
  void read(const Tensor& x, int group, int token, std::vector<double>& out) const {
    for_each_head(group, [&](int head, int first) {
      kernels::widen(out.data() + first, matrix(x, head).row(token), dim_);
    });
  }
  void write(const std::vector<double>& values, int group, int token, Tensor& x) const {
    for_each_head(group, [&](int head, int first) {
      kernels::narrow(matrix(x, head).row(token), values.data() + first, dim_);
    });
  }

 private:
  template <class F>
  void for_each_head(int group, F&& f) const {
    for (int h = 0; h < heads_per_vector_; ++h) f(group * heads_per_vector_ + h, h * dim_);
  }

  int heads_per_vector_, groups_, tokens_, dim_;
};

std::vector<double> channel_factors(const QkNorm& norm, const Tensor& weight, int channels) {
  std::vector<double> out(static_cast<std::size_t>(channels), 1.0);
  const double weight_offset = norm.weight_form == QkNorm::WeightForm::one_plus ? 1 : 0;
  for (std::size_t c = 0; c < weight.data.size(); ++c)
    out[c] = weight_offset + static_cast<double>(weight.data[c]);
  return out;
}

// Returns 1 / norm(x), or 0 if the norm is 0. For a layer norm, first subtracts the mean from x.
double inverse_norm(const QkNorm& norm, std::vector<double>& x) {
  const int channels = static_cast<int>(x.size());
  const double count = channels, eps = norm.epsilon();
  if (norm.norm == QkNorm::Norm::layer) {
    const double mean = std::accumulate(x.begin(), x.end(), 0.0) / count;
    for (double& value : x) value -= mean;
  }
  const double sum_of_squares = kernels::dot(x.data(), x.data(), channels);
  const double size = norm.norm == QkNorm::Norm::l2 ? std::fmax(std::sqrt(sum_of_squares), eps)
                                                    : std::sqrt(sum_of_squares / count + eps);
  return size > 0 ? 1 / size : 0;
}

}  // namespace

void normalise(const QkNorm& norm, const Tensor& weight, Tensor& x) {
  const NormalisedVectors vectors(norm, x);
  const std::vector<double> factor = channel_factors(norm, weight, vectors.channels());
  std::vector<double> row(factor.size());
  vectors.for_each([&](int group, int token) {
    vectors.read(x, group, token, row);
    const double scale = inverse_norm(norm, row);
    kernels::multiply_rows(row.data(), scale, factor.data(), vectors.channels());
    vectors.write(row, group, token, x);
  });
}

// With s = inverse_norm(x), n = s x (for `layer`, s (x - mean)) and g = dy * weight: dx = s (g - n
// <g n>), where <g n> is the mean of g n (rms, layer) or its sum (l2). For `layer`, the mean of g
// is also subtracted from g. For l2 with |x| < eps, dx = g / eps.
void normalise_backward(const QkNorm& norm, const Tensor& weight, const Tensor& x, Tensor& d_x,
                        Tensor& d_weight) {
  const NormalisedVectors vectors(norm, x);
  const std::vector<double> factor = channel_factors(norm, weight, vectors.channels());
  const std::size_t channels = factor.size();
  const double count = static_cast<double>(channels);
  std::vector<double> row(channels), grad(channels), d_factor(channels);
  vectors.for_each([&](int group, int token) {
    vectors.read(x, group, token, row);
    vectors.read(d_x, group, token, grad);
    const double scale = inverse_norm(norm, row);
    double sum = 0, product = 0;
    for (std::size_t c = 0; c < channels; ++c) {
      row[c] *= scale;
      d_factor[c] += grad[c] * row[c];
      grad[c] *= factor[c];
      sum += grad[c];
      product += grad[c] * row[c];
    }
    const bool is_l2 = norm.norm == QkNorm::Norm::l2, is_layer = norm.norm == QkNorm::Norm::layer;
    // For |x| < eps, the norm is eps, a constant with derivative 0.
    const double projection = !is_l2 ? product / count : scale * norm.epsilon() < 1 ? product : 0;
    const double mean = is_layer ? sum / count : 0;
    for (std::size_t c = 0; c < channels; ++c)
      grad[c] = scale * (grad[c] - mean - row[c] * projection);
    vectors.write(grad, group, token, d_x);
  });
  for (std::size_t c = 0; c < d_weight.data.size(); ++c)
    d_weight.data[c] += static_cast<float>(d_factor[c]);
}

}  // namespace phasor
