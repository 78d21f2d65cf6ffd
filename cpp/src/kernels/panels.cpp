// The one matrix product that attention needs: scores = q k^T and output = weights v.
// 2 rows share the loads of 16 columns: 8 accumulators, 4 registers of the panel and 1 of the row
// are what V8 keeps in the 16 registers of x86 without spilling. Of the shapes from 1 x 16 to 6 x 8
// this one was the fastest (docs/performance.md).

#include <algorithm>

#include "kernels/kernels.h"

namespace phasor::kernels {

namespace scalar {

namespace {

template <class Put>
void each_product(const ConstMatrixRef& a, const Panels& b, const MatrixRef& c, Put put) {
  for (int r = 0; r < c.rows; ++r) {
    for (int column = 0; column < c.columns; ++column) {
      const float* panel = b.data + column / kPanel * b.step + column % kPanel;
      float total = 0;
      for (int i = 0; i < b.inner; ++i)
        total += a.row(r)[i] * panel[static_cast<std::ptrdiff_t>(i) * kPanel];
      put(c.row(r)[column], total);
    }
  }
}

}  // namespace

void product(const ConstMatrixRef& a, const Panels& b, float scale, const MatrixRef& c) {
  each_product(a, b, c, [scale](float& out, float total) { out = scale * total; });
}

void accumulate(const ConstMatrixRef& a, const Panels& b, const MatrixRef& c) {
  each_product(a, b, c, [](float& out, float total) { out += total; });
}

}  // namespace scalar

namespace simd {

namespace {

constexpr int kVectors = kPanel / kLanes;

enum class Mode { set, add };

// Rows x 16 numbers of c, which all exist. A function of its own, never inlined: with more values
// alive around it, V8's register allocator spills the sums in the inner loop, which then takes four
// times as long.
template <int Rows, Mode mode>
__attribute__((noinline)) void block(const float* a, std::ptrdiff_t a_stride, const float* panel,
                                     int inner, float scale, float* c, std::ptrdiff_t c_stride) {
  f32x4 sums[Rows][kVectors] = {};
  for (int i = 0; i < inner; ++i, panel += kPanel) {
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
      store(to, mode == Mode::add ? load(to) + sums[r][v] : sums[r][v] * splat(scale));
    }
  }
}

// Where c ends within a panel. from (rows, columns) -> to
__attribute__((noinline)) void copy_part(const float* from, std::ptrdiff_t from_stride, int rows,
                                         int columns, float* to, std::ptrdiff_t stride) {
  for (int r = 0; r < rows; ++r, from += from_stride, to += stride) std::copy_n(from, columns, to);
}

__attribute__((noinline)) void each_block(Mode mode, const ConstMatrixRef& a, const Panels& b,
                                          float scale, const MatrixRef& c) {
  const auto two = mode == Mode::add ? block<2, Mode::add> : block<2, Mode::set>;
  const auto one = mode == Mode::add ? block<1, Mode::add> : block<1, Mode::set>;
  for (int c0 = 0; c0 < c.columns; c0 += kPanel) {
    const float* panel = b.data + c0 / kPanel * b.step;
    const int live = std::min(kPanel, c.columns - c0);
    for (int r = 0; r < c.rows; r += 2) {
      const int rows = std::min(2, c.rows - r);
      const auto run = rows == 2 ? two : one;
      if (live == kPanel) {
        run(a.row(r), a.stride, panel, b.inner, scale, c.row(r) + c0, c.stride);
        continue;
      }
      float edge[2 * kPanel] = {};
      copy_part(c.row(r) + c0, c.stride, rows, live, edge, kPanel);
      run(a.row(r), a.stride, panel, b.inner, scale, edge, kPanel);
      copy_part(edge, kPanel, rows, live, c.row(r) + c0, c.stride);
    }
  }
}

}  // namespace

void product(const ConstMatrixRef& a, const Panels& b, float scale, const MatrixRef& c) {
  each_block(Mode::set, a, b, scale, c);
}
void accumulate(const ConstMatrixRef& a, const Panels& b, const MatrixRef& c) {
  each_block(Mode::add, a, b, 1, c);
}

}  // namespace simd

}  // namespace phasor::kernels
