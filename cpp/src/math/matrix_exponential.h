#pragma once
// The exponential of a small square matrix and its derivative in double, by scaling, a Taylor
// series and squaring (Higham 2008, Functions of Matrices, sections 10.3 and 10.6). Matrices are
// (n, n), row-major.

#include <vector>

namespace phasor {

class MatrixExponential {
 public:
  explicit MatrixExponential(int n);
  static double bytes(int n) { return 6.0 * n * n * sizeof(double); }

  /// Computes e^a. The returned pointer is valid until the next call.
  const double* exponential(const double* a) { return compute(a, nullptr); }
  /// L(a, g), the derivative of e^(a + t g) at t = 0. If g is the gradient with respect to e^a,
  /// L(a^T, g) is the gradient with respect to a.
  const double* derivative(const double* a, const double* g) {
    compute(a, g);
    return derivative_.data();
  }

 private:
  const double* compute(const double* a, const double* g);

  int n_;
  std::vector<double> exponential_, derivative_, term_, term_derivative_, product_, scaled_;
};

}  // namespace phasor
