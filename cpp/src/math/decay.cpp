#include "math/decay.h"

#include <algorithm>
#include <cstdint>

namespace phasor {

namespace {

std::ptrdiff_t token_count(const Tensor& log_gates) { return log_gates.shape[1]; }

using f32x4 = float __attribute__((vector_size(16)));
using u32x4 = std::uint32_t __attribute__((vector_size(16)));
using f64x2 = double __attribute__((vector_size(16)));

// Rounds x to the floats (x0, x1, 0, 0). Written so that Clang rounds both with one instruction.
u32x4 to_float(f64x2 x) {
  const f32x4 broadcast =
      __builtin_convertvector(__builtin_shufflevector(x, f64x2{}, 0, 1, 2, 3), f32x4);
  return reinterpret_cast<u32x4>(broadcast);
}

// Computes to[i] += x - from[i]. The difference is computed in double and then rounded to float.
void add_differences(float* to, double x, const double* from, std::ptrdiff_t n) {
  constexpr std::ptrdiff_t kLanes = 4;
  const f64x2 broadcast = {x, x};
  std::ptrdiff_t i = 0;
  for (; i + kLanes <= n; i += kLanes) {
    f64x2 low, high;
    f32x4 sums;
    __builtin_memcpy(&low, from + i, sizeof low);
    __builtin_memcpy(&high, from + i + 2, sizeof high);
    __builtin_memcpy(&sums, to + i, sizeof sums);
    const u32x4 high_differences = to_float(broadcast - high);
    sums += reinterpret_cast<f32x4>(
        to_float(broadcast - low) |
        __builtin_shufflevector(high_differences, high_differences, 2, 3, 0, 1));
    __builtin_memcpy(to + i, &sums, sizeof sums);
  }
  for (; i < n; ++i) to[i] += static_cast<float>(x - from[i]);
}

}  // namespace

Decay::Decay(const Tensor& log_gates, double factor)
    : sums_(log_gates.data.begin(), log_gates.data.end()), tokens_(token_count(log_gates)) {
  for (auto row = sums_.begin(); row != sums_.end(); row += tokens_) {
    double sum = 0;
    std::for_each(row, row + tokens_, [&](double& gate) { gate = sum += factor * gate; });
  }
}

void Decay::add(int head, int first_query, int first_key, const MatrixRef& tile) const {
  const double* sums = sums_.data() + head * tokens_;
  for (int r = 0; r < tile.rows; ++r) {
    const int visible_keys = std::clamp(first_query + r + 1 - first_key, 0, tile.columns);
    add_differences(tile.row(r), sums[first_query + r], sums + first_key, visible_keys);
  }
}

DecayGradient::DecayGradient(const Tensor& log_gates, double factor)
    : d_sums_(log_gates.data.size(), 0.0), tokens_(token_count(log_gates)), factor_(factor) {}

void DecayGradient::gather(int head, int first_query, int first_key,
                           const ConstMatrixRef& d_scores) {
  double* d_sums = d_sums_.data() + head * tokens_;
  for (int r = 0; r < d_scores.rows; ++r) {
    const float* row = d_scores.row(r);
    double sum = 0;
    for (int c = 0; c < d_scores.columns; ++c) {
      const double gradient = static_cast<double>(row[c]);
      sum += gradient;
      d_sums[first_key + c] -= gradient;
    }
    d_sums[first_query + r] += sum;
  }
}

void DecayGradient::write(Tensor& d_log_gates) const {
  const std::ptrdiff_t heads = static_cast<std::ptrdiff_t>(d_sums_.size()) / tokens_;
  for (std::ptrdiff_t head = 0; head < heads; ++head) {
    double sum = 0;
    for (std::ptrdiff_t t = tokens_; t-- > 0;) {
      sum += d_sums_[static_cast<std::size_t>(head * tokens_ + t)];
      d_log_gates.data[static_cast<std::size_t>(head * tokens_ + t)] =
          static_cast<float>(factor_ * sum);
    }
  }
}

}  // namespace phasor
