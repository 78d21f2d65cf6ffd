#pragma once
// Rotates queries or keys by their positions in a range of a Remap. All heads of a call share
// cosines and sines.

#include <span>
#include <vector>

#include "encoding_base/custom_dot_product/remapped_products.h"
#include "phasor/tensor.h"

namespace phasor {

class RemapRotations {
 public:
  RemapRotations() = default;
  /// Copies start empty: cached values are valid for one call only.
  RemapRotations(const RemapRotations&) {}

  /// Bytes per row: its cosines and sines, and two copies of its position, here and in the caller.
  static double bytes_of_row(const RemapConfig& config) {
    return 2 * sizeof(double) + 2 * sizeof(float) * static_cast<double>(config.frequencies.size());
  }

  /// Rotates each row by its position. `stores_all`: keeps the cosines and sines of all positions
  /// for later calls; otherwise only those of the last position.
  void rotate(const RemapConfig& config, const MatrixRef& rows, Direction direction,
              bool stores_all, std::span<const double> positions);

 private:
  std::vector<double> positions_;  // NaN before the first row
  std::vector<float> cosine_, sine_;
};

}  // namespace phasor
