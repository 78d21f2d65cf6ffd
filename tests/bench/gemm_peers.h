#pragma once
// References of gemm_bench.cpp: Eigen with AVX2 and FMA, and loops of multiply-adds in registers.
// They are in separate files because of their compiler flags.

#include <vector>

#include "phasor/tensor.h"

namespace bench {

/// c = op(a) op(b), where op transposes a matrix if its flag is set.
void eigen_product(bool transpose_a, bool transpose_b, const phasor::ConstMatrixRef& a,
                   const phasor::ConstMatrixRef& b, const phasor::MatrixRef& c);

struct Peak {
  const char* level;
  void (*run)();  ///< kPeakFlops multiplications and additions
};
inline constexpr double kPeakFlops = 12 * 16 * 2 * 40000;
/// The peaks of the supported levels.
std::vector<Peak> list_peaks();

}  // namespace bench
