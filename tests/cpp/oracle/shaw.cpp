// S_ij = q_i . (k_j + aK[r]) / sqrt(d), out_i = sum_j W_ij (v_j + aV[r]), r = clip(j - i, -clip,
// clip) + clip, Shaw et al. 2018, arXiv 1803.02155.

#include <algorithm>

#include "oracle.h"

namespace phasor::test {
namespace {

class Shaw : public Oracle {
 public:
  explicit Shaw(const Settings& s)
      : clip_(s.number("clip")),
        right_(s.word("direction") == "right_positive"),
        per_head_(s.flag("per_head")),
        table_k_(s.parameter("table_k")),
        table_v_(s.flag("values") ? &s.parameter("table_v") : nullptr) {}

  double content_term(const ScoreRow& row, std::size_t key) const override {
    return row.scale * dot(row.q, entry(table_k_, row.head, row.i, row.j[key]));
  }
  Vector value(int head, double i, double j) const override {
    return table_v_ == nullptr ? Vector{} : entry(*table_v_, head, i, j);
  }

 private:
  Vector entry(const Tensor& table, int head, double i, double j) const {
    const double distance = right_ ? j - i : i - j;
    return row_of(table, static_cast<int>(std::clamp(distance, -clip_, clip_) + clip_),
                  per_head_ ? head : 0);
  }

  double clip_;
  bool right_, per_head_;
  const Tensor& table_k_;  // (2 clip + 1, dim) or (heads, 2 clip + 1, dim)
  const Tensor* table_v_;
};

}  // namespace

PHASOR_ORACLE(shaw, Shaw);

}  // namespace phasor::test
