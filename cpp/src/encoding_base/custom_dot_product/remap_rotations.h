#pragma once
// Turning rows to their places in a range of a Remap, all heads of a call by the same cosines and
// sines.

#include <span>
#include <vector>

#include "encoding_base/custom_dot_product/remapped_products.h"
#include "phasor/tensor.h"

namespace phasor {

class RemapRotations {
 public:
  RemapRotations() = default;
  /// Empty: what is kept is for one call.
  RemapRotations(const RemapRotations&) {}

  /// The size of the cosines and sines of a row, and its place here and at the caller's.
  static double bytes_of_row(const RemapConfig& config) {
    return 2 * sizeof(double) + 2 * sizeof(float) * static_cast<double>(config.frequencies.size());
  }

  /// Turns each row to its place. `keeps`: for other rows at the same places, which then find their
  /// cosines and sines here; else those of one place are kept.
  void turn(const RemapConfig& config, const MatrixRef& rows, Direction direction, bool keeps,
            std::span<const double> places);

 private:
  std::vector<double> places_;  // NaN before the first
  std::vector<float> cosine_, sine_;
};

}  // namespace phasor
