// Pair t turns by base^(-2t/d) times time, row or column, Wang et al. 2024, arXiv 2409.12191;
// Qwen3-VL lets them alternate; VideoRoPE, Wei et al. 2025, arXiv 2502.05173, leaves the slowest to
// time.

#include "oracle.h"
#include "oracle/rope_scaling.h"
#include "oracle/rotation.h"

namespace phasor::test {
namespace {

class Mrope : public Oracle {
 public:
  explicit Mrope(const Settings& s)
      : half_split_(s.word("layout") == "half_split"), speeds_(RopeScalingOracle(s).speeds()) {
    const int pairs = static_cast<int>(speeds_.scaled.size()), side = 3 * pairs / 8;
    int sections[] = {pairs - 2 * side, side, side};
    if (const Tensor* given = s.array("sections"))
      std::copy(given->data.begin(), given->data.end(), sections);
    if (s.word("arrangement") == "contiguous") {
      for (std::size_t axis = 0; axis < 3; ++axis)
        axis_.insert(axis_.end(), static_cast<std::size_t>(sections[axis]), axis);
      return;
    }
    if (s.word("arrangement") == "video") {
      const int given = s.whole("temporal_pairs"), temporal = given > 0 ? given : pairs / 4;
      for (int t = 0; t < pairs; ++t)
        axis_.push_back(t >= pairs - temporal ? 0 : t % 2 == 0 ? 1 : 2);
      return;
    }
    // time, but for pairs 1, 4, 7 ... (row) and 2, 5, 8 ... (column)
    axis_.assign(speeds_.scaled.size(), 0);
    for (int axis = 1; axis < 3; ++axis) {
      for (int t = axis; t < 3 * sections[axis] && t < pairs; t += 3)
        axis_[static_cast<std::size_t>(t)] = static_cast<std::size_t>(axis);
    }
  }

  Vector turned(Role, int, std::span<const double> place, const Vector& x) const override {
    Vector angles = speeds_.scaled;
    for (std::size_t t = 0; t < angles.size(); ++t)
      angles[t] *= place.size() == 1 ? place[0] : place[axis_[t]];
    return turn_pairs(x, half_split_, angles, Vector(angles.size(), speeds_.factor));
  }

 private:
  bool half_split_;
  RopeSpeeds speeds_;
  std::vector<std::size_t> axis_;  // of each pair
};

}  // namespace

PHASOR_ORACLE(mrope, Mrope);

}  // namespace phasor::test
