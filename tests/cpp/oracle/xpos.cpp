// RoPE with queries times zeta_t^((p - c)/B) and keys times the inverse, zeta_t = (2t + gamma d) /
// ((1 + gamma) d), Sun et al. 2022, arXiv 2212.10554.

#include "oracle.h"
#include "oracle/rotation.h"

namespace phasor::test {
namespace {

class Xpos : public Oracle {
 public:
  explicit Xpos(const Settings& s)
      : half_split_(s.word("layout") == "half_split"),
        scale_base_(s.number("scale_base")),
        center_(s.number("length") / 2) {
    center_ = s.word("center") == "torchscale" ? std::ceil(center_) : std::floor(center_);
    const double d = s.geometry.dim, gamma = s.number("gamma");
    for (double t = 0; t < d / 2; ++t) {
      frequencies_.push_back(1 / std::pow(s.number("base"), 2 * t / d));
      zeta_.push_back((2 * t + gamma * d) / ((1 + gamma) * d));
    }
  }

  Vector rotate(Role role, int, std::span<const double> position, const Vector& x) const override {
    Vector angles = frequencies_, gains = zeta_;
    const double power = (position[0] - center_) / scale_base_;
    for (double& a : angles) a *= position[0];
    for (double& g : gains) g = std::pow(g, role == Role::query ? power : -power);
    return rotate_pairs(x, half_split_, angles, gains);
  }

 private:
  bool half_split_;
  double scale_base_, center_;
  Vector frequencies_, zeta_;
};

}  // namespace

PHASOR_ORACLE(xpos, Xpos);

}  // namespace phasor::test
