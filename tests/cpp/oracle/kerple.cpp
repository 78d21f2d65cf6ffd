// KERPLE, Chi et al. 2022, arXiv 2205.09921: -r1 ln(1 + r2 D), -r1 D^r2, and the latter with scores
// multiplied by exp(-wei_a D^wei_p).

#include <algorithm>

#include "oracle.h"

namespace phasor::test {
namespace {

class Kerple : public Oracle {
 public:
  explicit Kerple(const Settings& s)
      : form_(s.word("form")), right_is_near_(s.word("right") == "zero"), settings_(s) {}

  double bias(int head, double i, double j) const override {
    const double d = distance(i, j), r1 = number("r1", head);
    if (form_ == "log") return -r1 * std::log(1 + number("r2", head) * d);
    return -r1 * std::pow(d, std::min(number("r2", head), 2.0));
  }

  double content_term(const ScoreRow& row, std::size_t key) const override {
    if (form_ != "weighted_power") return 0;
    const double a = number("wei_a", row.head), p = std::min(number("wei_p", row.head), 2.0);
    const double score = row.scale * dot(row.q, row.k[key]);
    return score * std::exp(-a * std::pow(distance(row.i, row.j[key]), p)) - score;
  }

 private:
  double distance(double i, double j) const {
    return right_is_near_ ? std::max(i - j, 0.0) : std::fabs(i - j);
  }
  // Clamped to at least 0.01, as in the authors' code.
  double number(const char* name, int head) const {
    return std::max(
        static_cast<double>(settings_.parameter(name).data[static_cast<std::size_t>(head)]), 0.01);
  }

  std::string form_;
  bool right_is_near_;
  Settings settings_;
};

}  // namespace

PHASOR_ORACLE(kerple, Kerple);

}  // namespace phasor::test
