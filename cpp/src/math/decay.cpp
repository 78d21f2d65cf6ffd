#include "math/decay.h"

#include <algorithm>

namespace phasor {

namespace {

std::ptrdiff_t tokens_of(const Tensor& log_gates) { return log_gates.shape[1]; }

}  // namespace

Decay::Decay(const Tensor& log_gates, double factor)
    : sums_(log_gates.data.begin(), log_gates.data.end()), tokens_(tokens_of(log_gates)) {
  for (auto row = sums_.begin(); row != sums_.end(); row += tokens_) {
    double sum = 0;
    std::for_each(row, row + tokens_, [&](double& gate) { gate = sum += factor * gate; });
  }
}

void Decay::add(int head, int query, int key, const MatrixRef& tile) const {
  const double* sums = sums_.data() + head * tokens_;
  const double* keys = sums + key;
  for (int r = 0; r < tile.rows; ++r) {
    const double own = sums[query + r];
    float* row = tile.row(r);
    for (int c = 0; c < tile.columns; ++c)
      row[c] += static_cast<float>(std::min(own - keys[c], 0.0));
  }
}

DecayGradient::DecayGradient(const Tensor& log_gates, double factor)
    : d_sums_(log_gates.data.size(), 0.0), tokens_(tokens_of(log_gates)), factor_(factor) {}

void DecayGradient::gather(int head, int query, int key, const ConstMatrixRef& d_scores) {
  double* d_sums = d_sums_.data() + head * tokens_;
  for (int r = 0; r < d_scores.rows; ++r) {
    const float* row = d_scores.row(r);
    double sum = 0;
    for (int c = 0; c < d_scores.columns; ++c) {
      const double slope = static_cast<double>(row[c]);
      sum += slope;
      d_sums[key + c] -= slope;
    }
    d_sums[query + r] += sum;
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
