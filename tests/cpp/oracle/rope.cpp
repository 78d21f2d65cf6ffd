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
        rotary_offset_(s.integer("rotary_offset")),
        start_tokens_(s.number("start_tokens")),
        frequencies_(RopeScalingOracle(remove_offset(s)).frequencies()) {}

  Vector rotate(Role, int, std::span<const double> position, const Vector& x) const override {
    // LongRoPE keeps the original frequencies for the first tokens.
    const bool is_start = start_tokens_ > 0 && position[0] < start_tokens_;
    Vector angles = is_start ? frequencies_.original : frequencies_.scaled;
    for (double& a : angles) a *= sign_ * position[0];
    const Vector rotated = rotate_pairs({x.begin() + rotary_offset_, x.end()}, half_split_, angles,
                                        Vector(angles.size(), is_start ? 1 : frequencies_.factor));
    Vector out(x.begin(), x.begin() + rotary_offset_);
    out.insert(out.end(), rotated.begin(), rotated.end());
    return out;
  }

 private:
  // The settings of a head without the channels before rotary_offset.
  static Settings remove_offset(Settings s) {
    s.geometry.dim -= s.integer("rotary_offset");
    return s;
  }

  bool half_split_;
  double sign_;
  int rotary_offset_;
  double start_tokens_;
  RopeFrequencies frequencies_;
};

}  // namespace

PHASOR_ORACLE(rope, Rope);

}  // namespace phasor::test
