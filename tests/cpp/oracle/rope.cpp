// Pair t is rotated by p base^(-2t/d), Su et al. 2021, arXiv 2104.09864.

#include "oracle.h"
#include "oracle/rope_scaling.h"
#include "oracle/rotation.h"

namespace phasor::test {
namespace {

class Rope : public Oracle {
 public:
  explicit Rope(const Settings& s)
      : half_split_(s.word("layout") == "half_split"),
        sign_(s.word("direction") == "negative" ? -1 : 1),
        first_(s.whole("rotary_offset")),
        start_(s.number("start_tokens")),
        speeds_(RopeScalingOracle(without_first(s)).speeds()) {}

  Vector rotated(Role, int, std::span<const double> position, const Vector& x) const override {
    // LongRoPE keeps the original frequencies for the first tokens.
    const bool first = start_ > 0 && position[0] < start_;
    Vector angles = first ? speeds_.original : speeds_.scaled;
    for (double& a : angles) a *= sign_ * position[0];
    const Vector rotated = turn_pairs({x.begin() + first_, x.end()}, half_split_, angles,
                                      Vector(angles.size(), first ? 1 : speeds_.factor));
    Vector out(x.begin(), x.begin() + first_);
    out.insert(out.end(), rotated.begin(), rotated.end());
    return out;
  }

 private:
  // The settings of a head without the channels before rotary_offset.
  static Settings without_first(Settings s) {
    s.geometry.dim -= s.whole("rotary_offset");
    return s;
  }

  bool half_split_;
  double sign_;
  int first_;
  double start_;
  RopeSpeeds speeds_;
};

}  // namespace

PHASOR_ORACLE(rope, Rope);

}  // namespace phasor::test
