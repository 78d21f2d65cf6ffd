#pragma once
// The inner loops of training, compiled once for each instruction set (kernels/isa.h).

#include "kernels/isa.h"
#include "kernels/kernels.h"

namespace phasor::kernels {

/// A left operand with strides: element (r, i) is data[r * row_stride + i * column_stride]. A
/// transposed matrix needs no copy.
struct LeftOperand {
  const float* data;
  std::ptrdiff_t row_stride, column_stride;
};

/// A right operand: element (i, c) is data[c / kPanelColumns * panel_stride + i * row_stride + c %
/// kPanelColumns]. In packed matrices, row_stride is kPanelColumns; in others, panel_stride is
/// kPanelColumns and the number of columns is a multiple of kPanelColumns.
struct RightOperand {
  const float* data;
  std::ptrdiff_t row_stride, panel_stride;
};

struct WideKernels {
  /// Computes c (rows, columns) = scale * left (rows, inner) . right (inner, columns). The result
  /// is added to c if `accumulate` is true.
  void (*multiply)(const LeftOperand& left, const RightOperand& right, int inner, float scale,
                   bool accumulate, const MatrixRef& c);
  /// Multiplies a few rows by the transpose of an unpacked matrix: c (a.rows, b.rows) = scale * a
  /// b^T. The result is added to c if `accumulate` is true.
  void (*multiply_transposed)(const ConstMatrixRef& a, const ConstMatrixRef& b, float scale,
                              bool accumulate, const MatrixRef& c);
  /// Replaces each x by e^(x - row_max) and returns the sum, as in kernels.h.
  double (*exp_and_sum)(float* row, int n, float row_max);
  /// Computes y[i] = x Phi(x) (see nn/activations.h) and overwrites x[i] with the derivative.
  void (*gelu)(float* x, float* y, int n);
  /// True if multiply() supports a LeftOperand::column_stride other than 1, and a scale other than
  /// 1 together with `accumulate`.
  bool supports_any_left_stride;
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

/// Returns the kernels of `level`. Aborts if the processor does not support them.
const WideKernels& wide_kernels(IsaLevel level);

}  // namespace phasor::kernels
