#pragma once
// The inner loops of training at one level (kernels/isa.h), under one contract, so that what is
// around them, cutting and packing (kernels/blocked.cpp) or a layer (nn), is written once.

#include "kernels/isa.h"
#include "kernels/kernels.h"

namespace phasor::kernels {

/// A left side: number (r, i) is data[r * down + i * right], so a transposed matrix needs no copy.
struct LeftSide {
  const float* data;
  std::ptrdiff_t down, right;
};

/// A right side: number (i, c) is data[c / kPanel * panel + i * down + c % kPanel]. Packed: down is
/// kPanel; a matrix as it lies in memory: panel is kPanel, and its columns are whole panels.
struct RightSide {
  const float* data;
  std::ptrdiff_t down, panel;
};

struct WideKernels {
  /// c (rows, columns) = scale * left (rows, inner) . right (inner, columns), added to c if `adds`
  void (*multiply)(const LeftSide& left, const RightSide& right, int inner, float scale, bool adds,
                   const MatrixRef& c);
  /// A few rows by a transposed matrix that nobody packs: c (a.rows, b.rows) = scale * a b^T, added
  /// to c if `adds`.
  void (*dots)(const ConstMatrixRef& a, const ConstMatrixRef& b, float scale, bool adds,
               const MatrixRef& c);
  /// Numbers become e^(x - row_max); returns their sum, as in kernels.h.
  double (*exp_and_sum)(float* row, int n, float row_max);
  /// y[i] = x Phi(x) of nn/activations.h; on exit x[i] is the slope.
  void (*gelu)(float* x, float* y, int n);
  /// Whether `right` of a left side may be anything; if not it is 1, and scale is 1 where `adds`.
  bool takes_any_left;
};

namespace portable {
extern const WideKernels kKernels;
}
namespace neon {
extern const WideKernels kKernels;
}
namespace avx2 {
extern const WideKernels kKernels;
}
namespace avx512 {
extern const WideKernels kKernels;
}

/// Those of a level that runs here; another one ends the program.
const WideKernels& wide_kernels(Level level);

}  // namespace phasor::kernels
