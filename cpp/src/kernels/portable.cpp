// The wide kernels of kernels/isa.h in four lanes, with every product rounded separately. Several
// rows times a packed matrix are `product` and `accumulate`, which WebAssembly may fuse
// (docs/decisions/0010-fused-multiply-add.md); a single row uses the unpacked matrix.

#include <cstddef>
#include <utility>

#include "kernels/kernels.h"
#include "kernels/wide.h"

#define PHASOR_TARGET

namespace phasor::kernels::portable {

namespace {

using Vector = f32x4;
using Words = u32x4;
// One row of two panels: 8 independent sums.
constexpr int kWide = kLanes, kVectors = 8, kRows = 1;

inline Vector multiply_add(Vector x, Vector y, Vector z) { return x * y + z; }
inline Vector spread(float x) { return splat(x); }

#include "kernels/exponential.h"
#include "kernels/wide_blocks.h"
#include "kernels/wide_gelu.h"

void multiply_packed(const LeftSide& a, const RightSide& b, int inner, float scale, bool adds,
                     const MatrixRef& c) {
  if (b.down != kPanel || c.rows == 1) return multiply(a, b, inner, scale, adds, c);
  const ConstMatrixRef left{a.data, c.rows, inner, static_cast<int>(a.down)};
  const Panels right{b.data, inner, c.columns, b.panel};
  if (adds) return active::accumulate(left, right, c);
  active::product(left, right, scale, c);
}

}  // namespace

const WideKernels kKernels{multiply_packed, dots, active::exp_and_sum, gelu, false};

}  // namespace phasor::kernels::portable

#undef PHASOR_TARGET
