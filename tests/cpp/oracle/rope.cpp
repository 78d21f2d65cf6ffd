// Pair t turns by p base^(-2t/d), Su et al. 2021, arXiv 2104.09864.

#include "oracle.h"
#include "oracle/rope_scaling.h"
#include "oracle/rotation.h"

namespace phasor::test {
namespace {

class Rope : public Oracle {
 public:
  explicit Rope(const Settings& s)
      : half_split_(s.word("layout") == "half_split"),
        start_(s.number("start_tokens")),
        speeds_(RopeScalingOracle(s).speeds()) {}

  Vector turned(Role, int, std::span<const double> place, const Vector& x) const override {
    // LongRoPE leaves the first tokens as they were trained
    const bool first = start_ > 0 && place[0] < start_;
    Vector angles = first ? speeds_.original : speeds_.scaled;
    for (double& a : angles) a *= place[0];
    return turn_pairs(x, half_split_, angles, Vector(angles.size(), first ? 1 : speeds_.factor));
  }

 private:
  bool half_split_;
  double start_;
  RopeSpeeds speeds_;
};

}  // namespace

PHASOR_ORACLE(rope, Rope);

}  // namespace phasor::test
