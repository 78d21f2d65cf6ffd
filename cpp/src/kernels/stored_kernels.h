#pragma once
// Kernels for products with a StoredMatrix, compiled once for each instruction set (kernels/isa.h).

#include <cstddef>
#include <cstdint>

#include "kernels/isa.h"
#include "kernels/weight_formats.h"

namespace phasor::kernels {

/// The panels of a stored matrix. Each panel has 16 output features. Two adjacent panels begin
/// `panel_stride` bytes apart.
struct StoredPanels {
  WeightDType dtype;
  const std::uint8_t* data;
  std::size_t panel_stride;
  int out_features, in_features;

  const std::uint8_t* find_panel(int column) const {
    return data + static_cast<std::size_t>(column / kPanelColumns) * panel_stride;
  }
};

struct StoredKernels {
  /// Converts `count` rows of a panel to float32, from row `first` on, which must be the first row
  /// of a block.
  void (*widen)(WeightDType dtype, const std::uint8_t* panel, int first, int count, float* to);
  /// Computes y (out_features) = panels times x (in_features), for formats without blocks
  void (*multiply_vector)(const StoredPanels& panels, const float* x, float* y);
  /// Computes y (out_features) = panels times x (in_features), for formats with blocks
  void (*multiply_split_row)(const StoredPanels& panels, const SplitRow& x, float* y);
  /// Number of panels that are converted to float32 at a time
  int panels_per_slab;
};

namespace portable {
extern const StoredKernels kStoredKernels;
}
namespace neon {
extern const StoredKernels kStoredKernels;
}
namespace avx2 {
extern const StoredKernels kStoredKernels;
}

/// Returns the kernels of a level. Aborts if the processor does not support it.
const StoredKernels& stored_kernels(IsaLevel level);

}  // namespace phasor::kernels
