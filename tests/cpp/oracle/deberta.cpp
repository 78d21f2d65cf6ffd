// S_ij = (q_i . k_j + q_i . K^r[d] + k_j . Q^r[d]) / sqrt(d (1 + terms)), He et al. 2021, arXiv
// 2006.03654, with d = clip(bucket(i - j) + k, 0, 2k - 1); buckets as in Hugging
// Face's make_log_bucket_position.

#include <algorithm>

#include "oracle.h"
#include "oracle/log_steps.h"

namespace phasor::test {
namespace {

class Deberta : public Oracle {
 public:
  explicit Deberta(const Settings& s)
      : buckets_(s.integer("position_buckets")),
        furthest_(s.integer("max_relative_positions")),
        pos_key_(s.word("terms") == "p2c" ? nullptr : &s.parameter("pos_key")),
        pos_query_(s.word("terms") == "c2p" ? nullptr : &s.parameter("pos_query")) {}

  double scale(int dim) const override {
    return 1 /
           std::sqrt(dim * (1.0 + (pos_key_ != nullptr ? 1 : 0) + (pos_query_ != nullptr ? 1 : 0)));
  }

  double content_term(const ScoreRow& row, std::size_t key) const override {
    const int k = buckets_ > 0 ? buckets_ : furthest_;
    const int d = static_cast<int>(std::clamp(bucket(row.i - row.j[key]) + k, 0.0, 2.0 * k - 1));
    double sum = 0;
    if (pos_key_ != nullptr) sum += dot(row.q, row_of(*pos_key_, d, row.head));
    if (pos_query_ != nullptr) sum += dot(row.k[key], row_of(*pos_query_, d, row.head));
    return row.scale * sum;
  }

 private:
  double bucket(double relative) const {
    const double middle = buckets_ / 2, size = std::fabs(relative);
    if (buckets_ == 0 || size <= middle) return relative;
    return std::copysign(middle + std::ceil(log_steps(size, middle, furthest_ - 1, middle - 1)),
                         relative);
  }

  int buckets_, furthest_;
  const Tensor *pos_key_, *pos_query_;  // (heads, 2k, head_dim)
};

}  // namespace

PHASOR_ORACLE(deberta, Deberta);

}  // namespace phasor::test
