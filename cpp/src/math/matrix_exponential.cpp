#include "math/matrix_exponential.h"

#include <algorithm>
#include <cmath>

namespace phasor {

namespace {

// Degree of the Taylor series: the next term, 0.5^19 / 19!, is below the last bit of 1.
constexpr int kDegree = 18;

// out = factor a b, or out += factor a b if `adds`; out must not overlap a or b.
void multiply(int n, double factor, const double* a, const double* b, bool adds, double* out) {
  if (!adds) std::fill(out, out + n * n, 0.0);
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
  for (std::vector<double>* m : {&value_, &slope_, &term_, &term_slope_, &product_, &scaled_})
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
  identity(n, value_);
  identity(n, term_);
  std::fill(slope_.begin(), slope_.end(), 0.0);
  std::fill(term_slope_.begin(), term_slope_.end(), 0.0);
  const auto add = [&](const std::vector<double>& from, std::vector<double>& to) {
    std::transform(from.begin(), from.end(), to.begin(), to.begin(), std::plus<>());
  };
  for (int k = 1; k <= kDegree; ++k) {
    if (g != nullptr) {
      multiply(n, 1.0 / k, scaled_.data(), term_slope_.data(), false, product_.data());
      multiply(n, scale / k, g, term_.data(), true, product_.data());
      term_slope_.swap(product_);
      add(term_slope_, slope_);
    }
    multiply(n, 1.0 / k, scaled_.data(), term_.data(), false, product_.data());
    term_.swap(product_);
    add(term_, value_);
  }
  for (int s = 0; s < squarings; ++s) {
    if (g != nullptr) {
      multiply(n, 1, value_.data(), slope_.data(), false, product_.data());
      multiply(n, 1, slope_.data(), value_.data(), true, product_.data());
      slope_.swap(product_);
    }
    multiply(n, 1, value_.data(), value_.data(), false, product_.data());
    value_.swap(product_);
  }
  return value_.data();
}

}  // namespace phasor
