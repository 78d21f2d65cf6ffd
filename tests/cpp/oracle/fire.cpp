// b(h, i, j) = MLP_h(phi(|i - j|) / (phi(max(i, L)) + eps)), phi(x) = ln(|c x| + 1), Li et al.
// 2024, arXiv 2310.04418.

#include <algorithm>

#include "oracle.h"

namespace phasor::test {
namespace {

class Fire : public Oracle {
 public:
  explicit Fire(const Settings& s)
      : w1_(s.parameter("w1")),
        b1_(s.parameter("b1")),
        w2_(s.parameter("w2")),
        b2_(s.parameter("b2")),
        c_(static_cast<double>(s.parameter("c").data[0])),
        limit_(std::fabs(static_cast<double>(s.parameter("l_multiplier").data[0]) *
                         s.number("init_l"))),
        eps_(s.number("eps")) {}

  double bias(int head, double i, double j) const override {
    const double x = phi(i - j) / (phi(std::max(i, limit_)) + eps_);
    const Vector w2 = row_of(w2_, head);
    double sum = static_cast<double>(b2_.data[static_cast<std::size_t>(head)]);
    for (std::size_t u = 0; u < w2.size(); ++u) {
      sum += w2[u] *
             std::max(0.0, static_cast<double>(w1_.data[u]) * x + static_cast<double>(b1_.data[u]));
    }
    return sum;
  }

 private:
  double phi(double x) const { return std::log(std::fabs(c_ * x) + 1); }

  const Tensor &w1_, &b1_, &w2_, &b2_;  // (units, 1), (units), (heads, units), (heads)
  double c_, limit_, eps_;
};

}  // namespace

PHASOR_ORACLE(fire, Fire);

}  // namespace phasor::test
