// b(h, i, j) = (sum_t cos((i - j) base^(-2t/db)) - db/2) H / (8 h), h = 1 .. H, Chi et al. 2023,
// arXiv 2212.10356.

#include "oracle.h"

namespace phasor::test {
namespace {

class Sandwich : public Oracle {
 public:
  explicit Sandwich(const Settings& s) : heads_(s.geometry.heads), db_(s.integer("db")) {
    const int first = s.word("index") == "from_one" ? 1 : 0;
    for (int t = first; t < first + db_ / 2; ++t)
      frequencies_.push_back(1 / std::pow(s.number("base"), 2.0 * t / db_));
  }

  double bias(int head, double i, double j) const override {
    double sum = 0;
    for (const double w : frequencies_) sum += std::cos((i - j) * w);
    return (sum - db_ / 2) * heads_ / (8.0 * (head + 1));
  }

 private:
  int heads_, db_;
  Vector frequencies_;
};

}  // namespace

PHASOR_ORACLE(sandwich, Sandwich);

}  // namespace phasor::test
