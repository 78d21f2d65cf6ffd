#include "math/matrix_exponential.h"

#include <algorithm>
#include <cmath>

namespace phasor {

namespace {

// Degree of the Taylor series. The first omitted term, 0.5^19 / 19!, is below the epsilon of
// double.
constexpr int kDegree = 18;

// Computes out = factor a b, or adds it to `out` if `accumulate` is true. `out` must not overlap a
// or b.
void multiply(int n, double factor, const double* a, const double* b, bool accumulate,
              double* out) {
  if (!accumulate) std::fill(out, out + n * n, 0.0);
  for (int r = 0; r < n; ++r) {
    for (int k = 0; k < n; ++k) {
      const double x = factor * a[r * n + k];
      for (int c = 0; c < n; ++c) out[r * n + c] += x * b[k * n + c];
    }
  }
}

void identity(int n, std::vector<double>& m) {
  std::fill(m.begin(), m.end(), 0.0);
  for (int i = 0; i < n; ++i) m[static_cast<std::size_t>(i * n + i)] = 1;
}

}  // namespace

MatrixExponential::MatrixExponential(int n) : n_(n) {
  const auto size = static_cast<std::size_t>(n) * static_cast<std::size_t>(n);
  for (std::vector<double>* m :
       {&exponential_, &derivative_, &term_, &term_derivative_, &product_, &scaled_})
    m->resize(size);
}

const double* MatrixExponential::compute(const double* a, const double* g) {
  const int n = n_, size = n * n;
  double norm = 0;  // the maximum absolute row sum
  for (int r = 0; r < n; ++r) {
    double sum = 0;
    for (int c = 0; c < n; ++c) sum += std::fabs(a[r * n + c]);
    norm = std::max(norm, sum);
  }
  int squarings = 0;
  for (; norm > 0.5 && squarings < 1024; norm /= 2) ++squarings;
  const double scale = std::ldexp(1.0, -squarings);
  for (int i = 0; i < size; ++i) scaled_[static_cast<std::size_t>(i)] = scale * a[i];
  identity(n, exponential_);
  identity(n, term_);
  std::fill(derivative_.begin(), derivative_.end(), 0.0);
  std::fill(term_derivative_.begin(), term_derivative_.end(), 0.0);
  const auto add_to = [&](const std::vector<double>& from, std::vector<double>& to) {
    std::transform(from.begin(), from.end(), to.begin(), to.begin(), std::plus<>());
  };
  for (int k = 1; k <= kDegree; ++k) {
    if (g != nullptr) {
      multiply(n, 1.0 / k, scaled_.data(), term_derivative_.data(), false, product_.data());
      multiply(n, scale / k, g, term_.data(), true, product_.data());
      term_derivative_.swap(product_);
      add_to(term_derivative_, derivative_);
    }
    multiply(n, 1.0 / k, scaled_.data(), term_.data(), false, product_.data());
    term_.swap(product_);
    add_to(term_, exponential_);
  }
  for (int s = 0; s < squarings; ++s) {
    if (g != nullptr) {
      multiply(n, 1, exponential_.data(), derivative_.data(), false, product_.data());
      multiply(n, 1, derivative_.data(), exponential_.data(), true, product_.data());
      derivative_.swap(product_);
    }
    multiply(n, 1, exponential_.data(), exponential_.data(), false, product_.data());
    exponential_.swap(product_);
  }
  return exponential_.data();
}

}  // namespace phasor
