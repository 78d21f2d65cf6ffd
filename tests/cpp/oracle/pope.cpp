// PoPE, Gopalakrishnan et al. 2025, arXiv 2509.10534: the magnitude of a channel is softplus of the
// content, its phase the position times base^(-c/d), to which keys add delta; here delta is
// subtracted from queries.

#include <algorithm>
#include <cmath>

#include "oracle.h"

namespace phasor::test {
namespace {

class Pope : public Oracle {
 public:
  explicit Pope(const Settings& s) : base_(s.number("base")), phase_(s.parameter("phase")) {}

  Vector rotate(Role role, int head, std::span<const double> position,
                const Vector& x) const override {
    const double dim = static_cast<double>(x.size()), rotation = 2 * std::acos(-1.0);
    Vector out;
    for (std::size_t c = 0; c < x.size(); ++c) {
      const double delta = static_cast<double>(matrix(phase_).row(head)[c]);
      const double angle = position[0] * std::pow(base_, -static_cast<double>(c) / dim) -
                           (role == Role::query ? std::min(std::max(delta, -rotation), 0.0) : 0.0);
      const double magnitude = std::log(1 + std::exp(x[c]));
      out.push_back(magnitude * std::cos(angle));
      out.push_back(magnitude * std::sin(angle));
    }
    return out;
  }

 private:
  double base_;
  const Tensor& phase_;  // (heads, dim)
};

}  // namespace

PHASOR_ORACLE(pope, Pope);

}  // namespace phasor::test
