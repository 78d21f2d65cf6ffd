#include "nn/softmax.h"

#include <cmath>
#include <limits>

#include "kernels/kernels.h"
#include "kernels/vector_ops.h"
#include "kernels/wide.h"
#include "math/scalar_math.h"

namespace phasor::nn {

void softmax(const MatrixRef& x) {
  for (int r = 0; r < x.rows; ++r) {
    float* row = x.row(r);
    const float maximum = kernels::active::row_max(row, x.columns);
    if (maximum == -std::numeric_limits<float>::infinity()) {
      kernels::fill(row, 0, x.columns);
      continue;
    }
    const double sum = kernels::active::exp_and_sum(row, x.columns, maximum);
    kernels::multiply(row, static_cast<float>(1 / sum), x.columns);
  }
}

void log_softmax(const MatrixRef& x) {
  for (int r = 0; r < x.rows; ++r) {
    float* row = x.row(r);
    const double maximum = static_cast<double>(kernels::active::row_max(row, x.columns));
    double sum = 0;
    for (int c = 0; c < x.columns; ++c) sum += exponential(static_cast<double>(row[c]) - maximum);
    const double log_sum = maximum + std::log(sum);
    for (int c = 0; c < x.columns; ++c)
      row[c] = static_cast<float>(static_cast<double>(row[c]) - log_sum);
  }
}

void softmax_backward(const ConstMatrixRef& y, const ConstMatrixRef& d_y, const MatrixRef& d_x) {
  for (int r = 0; r < y.rows; ++r) {
    const float mean = kernels::dot(y.row(r), d_y.row(r), y.columns);
    for (int c = 0; c < y.columns; ++c) d_x.row(r)[c] = y.row(r)[c] * (d_y.row(r)[c] - mean);
  }
}

}  // namespace phasor::nn
