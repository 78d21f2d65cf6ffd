// b(i, j) = -ln(1 + |i - j|), tensor2tensor's attention_bias_proximal.

#include "oracle.h"

namespace phasor::test {
namespace {

class Proximal : public Oracle {
 public:
  explicit Proximal(const Settings&) {}
  double bias(int, double i, double j) const override { return -std::log(1 + std::fabs(i - j)); }
};

}  // namespace

PHASOR_ORACLE(proximal, Proximal);

}  // namespace phasor::test
