#pragma once
// What gemm_bench.cpp compares with: Eigen with the instructions of AVX2 and FMA, and loops of
// multiply-adds that never leave the registers. In files of their own, because of their flags.

#include <vector>

#include "phasor/tensor.h"

namespace bench {

/// c = op(a) op(b), where an operand that is transposed is its transpose.
void eigen_product(bool turned_a, bool turned_b, const phasor::ConstMatrixRef& a,
                   const phasor::ConstMatrixRef& b, const phasor::MatrixRef& c);

struct Peak {
  const char* level;
  void (*run)();  ///< kPeakFlops multiplications and additions
};
inline constexpr double kPeakFlops = 12 * 16 * 2 * 40000;
/// Of those levels that run here.
std::vector<Peak> peaks();

}  // namespace bench
