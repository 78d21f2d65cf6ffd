// LieRE, Ostmeier et al. 2024, arXiv 2406.10322: exp(sum_a p_a (U_a - U_a^T)) for each block.
// Computed as the exponential minus 1: (e^A - 1) = 2 (e^(A/2) - 1) + (e^(A/2) - 1)^2, starting with
// a series at A / 2^24.

#include <cmath>

#include "oracle.h"
#include "oracle/patch.h"

namespace phasor::test {
namespace {

using Matrix = std::vector<Vector>;

Matrix multiply(const Matrix& a, const Matrix& b) {
  Matrix out(a.size(), Vector(a.size()));
  for (std::size_t r = 0; r < a.size(); ++r) {
    for (std::size_t c = 0; c < a.size(); ++c) {
      for (std::size_t k = 0; k < a.size(); ++k) out[r][c] += a[r][k] * b[k][c];
    }
  }
  return out;
}

Matrix matrix_exponential(Matrix a) {
  constexpr int kSquarings = 24, kTerms = 12;
  for (Vector& row : a) {
    for (double& x : row) x = std::ldexp(x, -kSquarings);
  }
  Matrix sum(a.size(), Vector(a.size())), term = sum;
  for (std::size_t i = 0; i < a.size(); ++i) term[i][i] = 1;
  for (int k = 1; k <= kTerms; ++k) {
    term = multiply(term, a);
    for (std::size_t r = 0; r < a.size(); ++r) {
      for (std::size_t c = 0; c < a.size(); ++c) sum[r][c] += term[r][c] /= k;
    }
  }
  for (int s = 0; s < kSquarings; ++s) {
    const Matrix square = multiply(sum, sum);
    for (std::size_t r = 0; r < a.size(); ++r) {
      for (std::size_t c = 0; c < a.size(); ++c) sum[r][c] = 2 * sum[r][c] + square[r][c];
    }
  }
  for (std::size_t i = 0; i < a.size(); ++i) sum[i][i] += 1;
  return sum;
}

class Liere : public Oracle {
 public:
  explicit Liere(const Settings& s)
      : axes_(static_cast<std::size_t>(s.integer("axes"))),
        columns_(s.number("columns")),
        generators_(s.parameter("generators")) {}

  Vector rotate(Role, int head, std::span<const double> position, const Vector& x) const override {
    Vector coordinates(position.begin(), position.end());
    if (coordinates.size() != axes_) {
      const Patch patch = patch_of(position, columns_);
      coordinates = {patch.row, patch.column};
    }
    const auto block = static_cast<std::size_t>(generators_.shape[4]);
    Vector out = x;
    for (std::size_t block_index = 0; block_index < x.size() / block; ++block_index) {
      Matrix a(block, Vector(block));
      for (std::size_t axis = 0; axis < axes_; ++axis) {
        for (std::size_t r = 0; r < block; ++r) {
          for (std::size_t c = r + 1; c < block; ++c) {
            const double u = entry(axis, head, block_index, r, c);
            a[r][c] += coordinates[axis] * u;
            a[c][r] -= coordinates[axis] * u;
          }
        }
      }
      const Matrix rotation = matrix_exponential(a);
      for (std::size_t r = 0; r < block; ++r) {
        out[block_index * block + r] = 0;
        for (std::size_t c = 0; c < block; ++c)
          out[block_index * block + r] += rotation[r][c] * x[block_index * block + c];
      }
    }
    return out;
  }

 private:
  double entry(std::size_t axis, int head, std::size_t block_index, std::size_t r,
               std::size_t c) const {
    const std::vector<int>& shape = generators_.shape;
    std::size_t offset = axis;
    for (const auto& [extent, index] :
         {std::pair{shape[1], static_cast<std::size_t>(head)}, std::pair{shape[2], block_index},
          std::pair{shape[3], r}, std::pair{shape[4], c}})
      offset = offset * static_cast<std::size_t>(extent) + index;
    return static_cast<double>(generators_.data[offset]);
  }

  std::size_t axes_;
  double columns_;
  const Tensor& generators_;  // (axes, heads, blocks, block, block)
};

}  // namespace

PHASOR_ORACLE(liere, Liere);

}  // namespace phasor::test
