#pragma once
// Rotates queries or keys by their positions in one range of a Remap. The heads of a call share the
// cosines and sines.

#include <span>
#include <vector>

#include "encoding_base/custom_dot_product/remapped_products.h"
#include "phasor/tensor.h"

namespace phasor {

class RemapRotations {
 public:
  RemapRotations() = default;
  /// A copy starts empty, because cached values are valid for one call only.
  RemapRotations(const RemapRotations&) {}

  /// Bytes per row: cosines, sines, and two positions, one stored here and one by the caller.
  static double bytes_per_row(const RemapConfig& config) {
    return 2 * sizeof(double) + 2 * sizeof(float) * static_cast<double>(config.frequencies.size());
  }

  /// Rotates each row by its position. With `stores_all_rows`, later calls reuse the cosines and
  /// sines of all positions, otherwise only those of the last position.
  void rotate(const RemapConfig& config, const MatrixRef& rows, RotationDirection direction,
              bool stores_all_rows, std::span<const double> positions);

 private:
  std::vector<double> positions_;  // NaN: no cosines and sines yet
  std::vector<float> cosine_, sine_;
};

}  // namespace phasor
