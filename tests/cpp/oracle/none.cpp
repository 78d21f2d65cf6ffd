// No positions: scores depend only on the contents.

#include "oracle.h"

namespace phasor::test {
namespace {

class None : public Oracle {
 public:
  explicit None(const Settings&) {}
};

}  // namespace

PHASOR_ORACLE(none, None);

}  // namespace phasor::test
