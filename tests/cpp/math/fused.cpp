// The mathematics that counts on every product being rounded, compiled once more for a processor
// that can multiply and add in one step (CMakeLists.txt): under a name of its own, so that it can
// be compared with the library's.

#define phasor phasor_fused
#include "math/scalar_math.cpp"

namespace phasor {

double rest_of_product(double a, double b) { return two_product_error(a, b); }

}  // namespace phasor
