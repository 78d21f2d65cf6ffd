// GRAPE-A, Zhang et al. 2025, arXiv 2512.07805: -(i - j) omega (softplus(c u.k) + softplus(c r.q)),
// each term only if its gate is used; later keys are at distance 0.

#include <cmath>

#include "oracle.h"

namespace phasor::test {
namespace {

class GrapeA : public Oracle {
 public:
  explicit GrapeA(const Settings& s)
      : gate_(s.word("gate")),
        gate_scale_(s.number("gate_scale")),
        omega_(s.parameter("omega")),
        u_(s.array("u")),
        r_(s.array("r")) {}

  double content_term(const ScoreRow& row, std::size_t key) const override {
    if (row.j[key] > row.i) return 0;
    const double c =
        gate_scale_ > 0 ? gate_scale_ : 1 / std::sqrt(static_cast<double>(row.q.size()));
    double gate = 0;
    if (gate_ != "query")
      gate += std::log(1 + std::exp(c * dot(row_of(*u_, row.head), row.k[key])));
    if (gate_ != "key") gate += std::log(1 + std::exp(c * dot(row_of(*r_, row.head), row.q)));
    return (row.j[key] - row.i) * gate *
           static_cast<double>(omega_.data[static_cast<std::size_t>(row.head)]);
  }

 private:
  std::string gate_;
  double gate_scale_;
  const Tensor& omega_;   // (heads)
  const Tensor *u_, *r_;  // (heads, dim)
};

}  // namespace

PHASOR_ORACLE(grape_a, GrapeA);

}  // namespace phasor::test
