#pragma once
// The inner loops of training at one level (kernels/isa.h), behind one interface, so that callers
// such as kernels/blocked.cpp and the layers of nn are written once.

#include "kernels/isa.h"
#include "kernels/kernels.h"

namespace phasor::kernels {

/// A left operand: element (r, i) is data[r * down + i * right], so that a transposed matrix needs
/// no copy.
struct LeftSide {
  const float* data;
  std::ptrdiff_t down, right;
};

/// A right operand: element (i, c) is data[c / kPanel * panel + i * down + c % kPanel]. If packed,
/// down is kPanel; if not, panel is kPanel and columns are whole panels.
struct RightSide {
  const float* data;
  std::ptrdiff_t down, panel;
};

struct WideKernels {
  /// c (rows, columns) = scale * left (rows, inner) . right (inner, columns), added to c if `adds`
  void (*multiply)(const LeftSide& left, const RightSide& right, int inner, float scale, bool adds,
                   const MatrixRef& c);
  /// Multiplies a few rows by a transposed unpacked matrix: c (a.rows, b.rows) = scale * a b^T,
  /// added to c if `adds`.
  void (*dots)(const ConstMatrixRef& a, const ConstMatrixRef& b, float scale, bool adds,
               const MatrixRef& c);
  /// Replaces numbers by e^(x - row_max) and returns their sum, as in kernels.h.
  double (*exp_and_sum)(float* row, int n, float row_max);
  /// y[i] = x Phi(x) of nn/activations.h; on exit x[i] is the derivative.
  void (*gelu)(float* x, float* y, int n);
  /// Whether LeftSide::right may have any value; otherwise LeftSide::right must be 1, and scale
  /// must be 1 if `adds`.
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

/// The kernels of a level that runs here; another level ends the program.
const WideKernels& wide_kernels(Level level);

}  // namespace phasor::kernels
