// Pair t is rotated by base^(-2t/d) times time, row or column, Wang et al. 2024, arXiv 2409.12191;
// in Qwen3-VL they alternate; VideoRoPE, Wei et al. 2025, arXiv 2502.05173, assigns the slowest to
// time.

#include "oracle.h"
#include "oracle/rope_scaling.h"
#include "oracle/rotation.h"

namespace phasor::test {
namespace {

class Mrope : public Oracle {
 public:
  explicit Mrope(const Settings& s)
      : half_split_(s.word("layout") == "half_split"),
        frequencies_(RopeScalingOracle(s).frequencies()) {
    const int pairs = static_cast<int>(frequencies_.scaled.size()), side = 3 * pairs / 8;
    int sections[] = {pairs - 2 * side, side, side};
    if (const Tensor* provided = s.array("sections"))
      std::copy(provided->data.begin(), provided->data.end(), sections);
    if (s.word("arrangement") == "contiguous") {
      for (std::size_t axis = 0; axis < 3; ++axis)
        axis_.insert(axis_.end(), static_cast<std::size_t>(sections[axis]), axis);
      return;
    }
    if (s.word("arrangement") == "video") {
      const int provided = s.integer("temporal_pairs"),
                temporal = provided > 0 ? provided : pairs / 4;
      for (int t = 0; t < pairs; ++t)
        axis_.push_back(t >= pairs - temporal ? 0 : t % 2 == 0 ? 1 : 2);
      return;
    }
    // Interleaved: time, except for pairs 1, 4, 7 ... (row) and 2, 5, 8 ... (column).
    axis_.assign(frequencies_.scaled.size(), 0);
    for (int axis = 1; axis < 3; ++axis) {
      for (int t = axis; t < 3 * sections[axis] && t < pairs; t += 3)
        axis_[static_cast<std::size_t>(t)] = static_cast<std::size_t>(axis);
    }
  }

  Vector rotate(Role, int, std::span<const double> position, const Vector& x) const override {
    Vector angles = frequencies_.scaled;
    for (std::size_t t = 0; t < angles.size(); ++t)
      angles[t] *= position.size() == 1 ? position[0] : position[axis_[t]];
    return rotate_pairs(x, half_split_, angles, Vector(angles.size(), frequencies_.factor));
  }

 private:
  bool half_split_;
  RopeFrequencies frequencies_;
  std::vector<std::size_t> axis_;  // of each pair
};

}  // namespace

PHASOR_ORACLE(mrope, Mrope);

}  // namespace phasor::test
