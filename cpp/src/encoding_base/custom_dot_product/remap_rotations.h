#pragma once
// Rotates rows to their positions in a range of a Remap, sharing cosines and sines between all
// heads of a call.

#include <span>
#include <vector>

#include "encoding_base/custom_dot_product/remapped_products.h"
#include "phasor/tensor.h"

namespace phasor {

class RemapRotations {
 public:
  RemapRotations() = default;
  /// Copies start empty, because cached values belong to one call.
  RemapRotations(const RemapRotations&) {}

  /// Bytes per row: its cosines and sines, and its index here and in the caller.
  static double bytes_of_row(const RemapConfig& config) {
    return 2 * sizeof(double) + 2 * sizeof(float) * static_cast<double>(config.frequencies.size());
  }

  /// Rotates each row to its position. `keeps`: stores the cosines and sines for other rows at the
  /// same positions; otherwise only those of one position.
  void rotate(const RemapConfig& config, const MatrixRef& rows, Direction direction, bool keeps,
              std::span<const double> positions);

 private:
  std::vector<double> positions_;  // NaN before the first row
  std::vector<float> cosine_, sine_;
};

}  // namespace phasor
