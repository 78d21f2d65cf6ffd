// The mathematics that requires every product to be rounded, compiled once more with fused
// multiply-add (CMakeLists.txt): in a separate namespace, to be compared with the library's.

#define phasor phasor_fused
#include "math/scalar_math.cpp"

namespace phasor {

double rest_of_product(double a, double b) { return two_product_error(a, b); }

}  // namespace phasor
