#pragma once
// Rotates queries or keys by their remapped positions in one range of a Remap. All heads of a call
// use the same cosines and sines.

#include <span>
#include <vector>

#include "encoding_base/custom_dot_product/remapped_products.h"
#include "phasor/tensor.h"

namespace phasor {

class RemapRotations {
 public:
  RemapRotations() = default;
  /// The copy starts empty, because the cached cosines and sines are valid for one call only.
  RemapRotations(const RemapRotations&) {}

  /// Memory per row in bytes: cosines, sines, the position stored here, and the caller's copy of
  /// the position.
  static double bytes_per_row(const RemapConfig& config) {
    return 2 * sizeof(double) + 2 * sizeof(float) * static_cast<double>(config.frequencies.size());
  }

  /// Rotates each row by its position. Caches the cosines and sines of all positions for later
  /// calls if `stores_all_rows` is true, and those of the last position otherwise.
  void rotate(const RemapConfig& config, const MatrixRef& rows, RotationDirection direction,
              bool stores_all_rows, std::span<const double> positions);

 private:
  std::vector<double> positions_;  // NaN if the cosines and sines have not been computed
  std::vector<float> cosine_, sine_;
};

}  // namespace phasor
