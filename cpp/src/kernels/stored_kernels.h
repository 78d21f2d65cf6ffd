#pragma once
// Loops over the panels of a stored matrix, for one level of kernels/isa.h.

#include <cstddef>
#include <cstdint>

#include "kernels/isa.h"
#include "kernels/weight_formats.h"

namespace phasor::kernels {

/// The panels of a stored matrix. Each has 16 output features; panels are `step` bytes apart.
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
  /// Converts `count` rows of a panel from row `first` on, which must begin a block, to float32.
  void (*widen)(WeightDType dtype, const std::uint8_t* panel, int first, int count, float* to);
  /// y (out) = x (in) times panels of a format without blocks
  void (*multiply_vector)(const StoredPanels& panels, const float* x, float* y);
  /// y (out) = x (in) times panels of a format with blocks
  void (*multiply_split_row)(const StoredPanels& panels, const SplitRow& x, float* y);
  /// Number of panels that are widened together for one product
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

/// The kernels of a level; aborts if the level does not run here.
const StoredKernels& stored_kernels(IsaLevel level);

}  // namespace phasor::kernels
