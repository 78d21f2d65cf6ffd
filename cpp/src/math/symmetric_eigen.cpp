// Householder's reduction to tridiagonal form, then QL steps with implicit shifts (Bowdler, Martin,
// Reinsch and Wilkinson 1968, the tred2 and tql2 of EISPACK). Eigen's versions are 3 kB larger
// (docs/decisions/0016-decompositions-by-hand.md). Eigenvectors are rows, so that inner loops read
// contiguous memory.

#include "math/symmetric_eigen.h"

#include <cmath>
#include <limits>

namespace phasor {

namespace {

struct SquareMatrix {
  std::vector<double>& data;
  int n;

  /// Returns row r from column `first` on.
  std::span<double> row(int r, int first = 0) const {
    const std::size_t width = static_cast<std::size_t>(n), begin = static_cast<std::size_t>(first);
    return std::span(data).subspan(static_cast<std::size_t>(r) * width + begin, width - begin);
  }
};

struct Tridiagonal {
  std::vector<double> diagonal, subdiagonal;
};

// Reduces `a` to tridiagonal form with one reflection 1 - 2 v v^T per column. q must be the
// identity matrix. On return it is the product of the reflections.
Tridiagonal tridiagonalise(SquareMatrix a, SquareMatrix q) {
  Tridiagonal out{std::vector<double>(static_cast<std::size_t>(a.n)),
                  std::vector<double>(static_cast<std::size_t>(a.n))};
  for (int k = 0; k < a.n; ++k) {
    const std::size_t i = static_cast<std::size_t>(k);
    out.diagonal[i] = a.row(k)[i];
    if (k + 1 == a.n) break;
    const std::span<double> v = a.row(k, k + 1);  // a is symmetric: row k is column k
    const double norm = std::sqrt(dot(v, v)), beta = v[0] < 0 ? norm : -norm;
    out.subdiagonal[i] = v.size() == 1 ? v[0] : beta;
    if (v.size() == 1 || norm == 0) continue;
    v[0] -= beta;
    const double length = std::sqrt(dot(v, v));
    for (double& x : v) x /= length;
    // With w = a v - (v . a v) v, the reflection turns a into a - 2 v w^T - 2 w v^T, and q into (1
    // - 2 v v^T) q.
    std::vector<double> w(v.size()), product(static_cast<std::size_t>(a.n));
    for (std::size_t r = 0; r < v.size(); ++r) {
      w[r] = dot(a.row(k + 1 + static_cast<int>(r), k + 1), v);
      add(v[r], q.row(k + 1 + static_cast<int>(r)), product);
    }
    add(-dot(v, w), v, w);
    for (std::size_t r = 0; r < v.size(); ++r) {
      const int row = k + 1 + static_cast<int>(r);
      add(-2 * v[r], w, a.row(row, k + 1));
      add(-2 * w[r], v, a.row(row, k + 1));
      add(-2 * v[r], product, q.row(row));
    }
  }
  return out;
}

// Replaces (x, y) with (c x - s y, s x + c y).
void rotate(double c, double s, std::span<double> x, std::span<double> y) {
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double old_x = x[i];
    x[i] = c * old_x - s * y[i];
    y[i] = s * old_x + c * y[i];
  }
}

// Performs one QL step on the rows first .. last, shifted by an eigenvalue of the leading 2 x 2
// block.
void ql_step(Tridiagonal& t, std::size_t first, std::size_t last, SquareMatrix vectors) {
  std::vector<double>&d = t.diagonal, &e = t.subdiagonal;
  const double ratio = (d[first + 1] - d[first]) / (2 * e[first]);
  double g =
      d[last] - d[first] + e[first] / (ratio + std::copysign(std::sqrt(ratio * ratio + 1), ratio));
  double s = 1, c = 1, shift = 0;
  for (std::size_t i = last; i-- > first;) {
    const double f = s * e[i], b = c * e[i], length = std::sqrt(f * f + g * g);
    e[i + 1] = length;
    if (length == 0) {  // the matrix splits into two blocks after row i
      d[i + 1] -= shift;
      e[last] = 0;
      return;
    }
    s = f / length;
    c = g / length;
    g = d[i + 1] - shift;
    const double r = (d[i] - g) * s + 2 * c * b;
    shift = s * r;
    d[i + 1] = g + shift;
    g = c * r - b;
    rotate(c, s, vectors.row(static_cast<int>(i)), vectors.row(static_cast<int>(i) + 1));
  }
  d[first] -= shift;
  e[first] = g;
  e[last] = 0;
}

}  // namespace

double dot(std::span<const double> a, std::span<const double> b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

void add(double factor, std::span<const double> x, std::span<double> to) {
  for (std::size_t i = 0; i < x.size(); ++i) to[i] += factor * x[i];
}

std::vector<double> gram_matrix(const std::vector<double>& x, int width) {
  const std::size_t columns = static_cast<std::size_t>(width);
  std::vector<double> out(columns * columns);
  for (std::size_t begin = 0; begin < x.size(); begin += columns) {
    const std::span<const double> row(x.data() + begin, columns);
    for (int c = 0; c < width; ++c)
      add(row[static_cast<std::size_t>(c)], row, SquareMatrix{out, width}.row(c));
  }
  return out;
}

SymmetricEigen symmetric_eigen(std::vector<double> matrix, int n) {
  constexpr int kMaxSteps = 60;  // most eigenvalues converge after two or three steps
  std::vector<double> vectors(matrix.size());
  for (int k = 0; k < n; ++k) SquareMatrix{vectors, n}.row(k, k)[0] = 1;
  Tridiagonal t = tridiagonalise({matrix, n}, {vectors, n});
  const std::size_t end = static_cast<std::size_t>(n);
  for (std::size_t first = 0; first < end; ++first) {
    for (int steps = 0; steps < kMaxSteps; ++steps) {
      std::size_t last = first;
      const auto is_coupled = [&](std::size_t i) {
        return std::fabs(t.subdiagonal[i]) >
               std::numeric_limits<double>::epsilon() *
                   (std::fabs(t.diagonal[i]) + std::fabs(t.diagonal[i + 1]));
      };
      while (last + 1 < end && is_coupled(last)) ++last;
      if (last == first) break;
      ql_step(t, first, last, {vectors, n});
    }
  }
  return {std::move(t.diagonal), std::move(vectors)};
}

}  // namespace phasor
