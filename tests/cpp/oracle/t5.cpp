// S_ij = q_i . k_j + multiplier table[bucket(j - i), h], Raffel et al. 2019; buckets as in Mesh
// TensorFlow's _relative_position_bucket.

#include <algorithm>

#include "oracle.h"
#include "oracle/log_steps.h"

namespace phasor::test {
namespace {

class T5 : public Oracle {
 public:
  explicit T5(const Settings& s)
      : buckets_(s.integer("num_buckets")),
        max_distance_(s.number("max_distance")),
        bidirectional_(s.flag("bidirectional")),
        multiplier_(s.number("multiplier")),
        table_(s.parameter("table")) {}

  double scale(int) const override { return 1; }

  double bias(int head, double i, double j) const override {
    return multiplier_ * row_of(table_, bucket(j - i))[static_cast<std::size_t>(head)];
  }

 private:
  int bucket(double relative) const {
    const int count = bidirectional_ ? buckets_ / 2 : buckets_,
              start = bidirectional_ && relative > 0 ? count : 0, exact_count = count / 2;
    const double n = bidirectional_ ? std::fabs(relative) : std::max(-relative, 0.0);
    if (n < exact_count) return start + static_cast<int>(n);
    const int log_bucket =
        exact_count +
        static_cast<int>(std::floor(log_steps(n, exact_count, max_distance_, count - exact_count)));
    return start + std::min(log_bucket, count - 1);
  }

  int buckets_;
  double max_distance_;
  bool bidirectional_;
  double multiplier_;
  const Tensor& table_;  // (buckets, heads)
};

}  // namespace

PHASOR_ORACLE(t5, T5);

}  // namespace phasor::test
