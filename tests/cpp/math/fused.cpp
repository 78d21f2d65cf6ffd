// Functions that require every product to be rounded, compiled with fused multiply-add
// (CMakeLists.txt) in a separate namespace for comparison with the library.

#define phasor phasor_fused
#include "math/scalar_math.cpp"

namespace phasor {

double rest_of_product(double a, double b) { return two_product_error(a, b); }

}  // namespace phasor
