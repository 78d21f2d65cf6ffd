#include "math/orthogonal.h"

#include <cmath>

#include "phasor/random.h"

namespace phasor {

namespace {

float dot(const float* a, const float* b, int width) {
  float sum = 0;
  for (int c = 0; c < width; ++c) sum += a[c] * b[c];
  return sum;
}

// row <- row - (row . unit) unit
void remove(const float* unit, float* row, int width) {
  const float along = dot(row, unit, width);
  for (int c = 0; c < width; ++c) row[c] -= along * unit[c];
}

void normalise(float* row, int width) {
  const float norm = std::sqrt(dot(row, row, width));
  for (int c = 0; c < width; ++c) row[c] /= norm;
}

}  // namespace

Status orthogonal(std::uint32_t seed, int width, Tensor& out) {
  PHASOR_TRY(gaussian(seed, {width, width}, out));
  const MatrixRef rows = matrix(out);
  for (int r = 0; r < width; ++r) {
    for (int pass = 0; pass < 2; ++pass) {
      for (int before = 0; before < r; ++before) remove(rows.row(before), rows.row(r), width);
      normalise(rows.row(r), width);
    }
  }
  return {};
}

}  // namespace phasor
