#pragma once
// The inner loops of training behind one interface, compiled once for each instruction set
// (kernels/isa.h).

#include "kernels/isa.h"
#include "kernels/kernels.h"

namespace phasor::kernels {

/// A left operand with strides: element (r, i) is data[r * down + i * right]. A transposed matrix
/// needs no copy.
struct LeftSide {
  const float* data;
  std::ptrdiff_t down, right;
};

/// A right operand: element (i, c) is data[c / kPanel * panel + i * down + c % kPanel]. In packed
/// matrices, down is kPanel; in others, panel is kPanel and the number of columns is a multiple of
/// kPanel.
struct RightSide {
  const float* data;
  std::ptrdiff_t down, panel;
};

struct WideKernels {
  /// c (rows, columns) = scale * left (rows, inner) . right (inner, columns), added to c if
  /// `accumulate`
  void (*multiply)(const LeftSide& left, const RightSide& right, int inner, float scale,
                   bool accumulate, const MatrixRef& c);
  /// Multiplies a few rows by a transposed unpacked matrix: c (a.rows, b.rows) = scale * a b^T,
  /// added to c if `accumulate`.
  void (*dots)(const ConstMatrixRef& a, const ConstMatrixRef& b, float scale, bool accumulate,
               const MatrixRef& c);
  /// Replaces each x by e^(x - row_max) and returns the sum, as in kernels.h.
  double (*exp_and_sum)(float* row, int n, float row_max);
  /// y[i] = x Phi(x) of nn/activations.h; on exit x[i] is the derivative.
  void (*gelu)(float* x, float* y, int n);
  /// True if multiply() accepts LeftSide::right other than 1, and scale other than 1 with
  /// `accumulate`.
  bool supports_any_left;
};

namespace portable {
extern const WideKernels kWideKernels;
}
namespace neon {
extern const WideKernels kWideKernels;
}
namespace avx2 {
extern const WideKernels kWideKernels;
}
namespace avx512 {
extern const WideKernels kWideKernels;
}

/// The kernels of `level`. Aborts if the processor does not support it.
const WideKernels& wide_kernels(Level level);

}  // namespace phasor::kernels
