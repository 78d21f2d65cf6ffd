#pragma once
// The innermost loop of the matrix product. It computes 1 or 2 rows by 16 columns and keeps the
// sums in registers. Two rows share the loads of a panel. On x86, V8 needs 13 of the 16 registers:
// 8 for sums, 4 for the panel and 1 for the row. This shape was the fastest of those from 1 x 16 to
// 6 x 8 (docs/performance.md).

#include <cstddef>

#include "kernels/kernels.h"

namespace phasor::kernels {

enum class BlockMode { set, add };

/// Computes c (Rows, 16) = scale * a (Rows, inner) . panel (inner, 16) if `mode` is `set`, and c +=
/// a . panel if it is `add`.
template <int Rows, BlockMode mode>
void register_block(const float* a, std::ptrdiff_t a_stride, const float* panel, int inner,
                    float scale, float* c, std::ptrdiff_t c_stride) {
  constexpr int kVectors = kPanelColumns / kLanes;
  f32x4 sums[Rows][kVectors] = {};
  for (int i = 0; i < inner; ++i, panel += kPanelColumns) {
    f32x4 right[kVectors];
    for (int v = 0; v < kVectors; ++v) right[v] = load(panel + v * kLanes);
    for (int r = 0; r < Rows; ++r) {
      const f32x4 left = splat(a[r * a_stride + i]);
      for (int v = 0; v < kVectors; ++v) sums[r][v] += left * right[v];
    }
  }
  for (int r = 0; r < Rows; ++r) {
    for (int v = 0; v < kVectors; ++v) {
      float* to = c + r * c_stride + v * kLanes;
      store(to, mode == BlockMode::add ? load(to) + sums[r][v] : sums[r][v] * splat(scale));
    }
  }
}

using RegisterBlock = void (*)(const float* a, std::ptrdiff_t a_stride, const float* panel,
                               int inner, float scale, float* c, std::ptrdiff_t c_stride);

struct RegisterBlocks {
  RegisterBlock set_1_row, set_2_rows, add_1_row, add_2_rows;
};

/// The register_block functions in use. They are called through pointers so that they are not
/// inlined: V8 would spill the sums of an inlined loop, which is four times slower. In WebAssembly,
/// `use_register_blocks` (cpp/wasm/bindings.cpp) replaces them with fused functions before the
/// first call. Native builds never change them.
extern RegisterBlocks register_blocks;

}  // namespace phasor::kernels
