// Pair t of head h is rotated by x fx(h, t) + y fy(h, t), Heo et al. 2024, arXiv 2403.13298.

#include "oracle.h"
#include "oracle/patch.h"
#include "oracle/rotation.h"

namespace phasor::test {
namespace {

class RopeMixed : public Oracle {
 public:
  explicit RopeMixed(const Settings& s)
      : columns_(s.number("columns")), frequencies_(s.parameter("frequencies")) {}

  Vector rotate(Role, int head, std::span<const double> position, const Vector& x) const override {
    const Patch p = patch_of(position, columns_);
    const Vector fx = row_of(frequencies_, head, 0), fy = row_of(frequencies_, head, 1);
    Vector angles;
    for (std::size_t t = 0; t < fx.size(); ++t) angles.push_back(p.column * fx[t] + p.row * fy[t]);
    return rotate_pairs(x, false, angles, Vector(angles.size(), 1));
  }

 private:
  double columns_;
  const Tensor& frequencies_;  // (2, heads, pairs): fx, fy
};

}  // namespace

PHASOR_ORACLE(rope_mixed, RopeMixed);

}  // namespace phasor::test
