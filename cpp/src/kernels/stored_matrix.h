#pragma once
// The weight matrix of a linear layer, stored as f32, bf16, f16 or blocks of int8. A product
// converts a few panels to float32 at a time, so there is never a float32 copy of the whole matrix.

#include <cstdint>
#include <vector>

#include "kernels/isa.h"
#include "kernels/weight_formats.h"

namespace phasor::kernels {

/// A matrix (out_features, in_features), like the weight of torch.nn.Linear. It is stored as panels
/// of 16 output features, whose layout depends on the dtype (weight_formats.h).
class StoredMatrix {
 public:
  StoredMatrix() = default;
  /// Creates a matrix of zeros.
  StoredMatrix(WeightDType dtype, int out_features, int in_features);
  /// Size of a matrix in bytes. The result is a double, because a size_t could overflow.
  static double bytes(WeightDType dtype, int out_features, int in_features);

  WeightDType dtype() const { return dtype_; }
  int out_features() const { return out_features_; }
  int in_features() const { return in_features_; }
  bool empty() const { return out_features_ == 0; }

  /// Sets an element; the dtype must be f32.
  void set(int out, int in, float value);
  /// Sets an element from its bit pattern; the dtype must be bf16 or f16, and the value finite.
  void set(int out, int in, std::uint16_t bits);
  /// Sets block `block` of row `out` to scale * q + offset. Elements of q beyond in_features are
  /// ignored.
  void set_block(int out, int block, float scale, float offset, const std::int8_t* q);

  /// Converts row `out` to float32 and writes it to `to` (in_features).
  void copy_row(int out, float* to) const;

  /// Computes y (rows, out_features) = x (rows, in_features) times the transpose of this matrix.
  /// Terms are summed in chunks of 256, and the sums of the chunks are added. For f32, bf16 and
  /// f16, a row of y does not depend on the number of rows. For block formats, a single row of x is
  /// first rounded to 31 bits per block (SplitRow). Threads divide the columns of y, never a sum.
  void multiply(const ConstMatrixRef& x, const MatrixRef& y, IsaLevel level = best_level(),
                int threads = 1) const;

 private:
  /// Computes y = x times the transpose of y.columns rows of this matrix, starting at row
  /// `first_out`, which must be a multiple of kPanelColumns. The order of additions does not depend
  /// on the number of rows of x.
  void multiply_rows(const ConstMatrixRef& x, int first_out, const MatrixRef& y,
                     IsaLevel level) const;
  std::uint8_t* panel(int index) {
    return bytes_.data() + static_cast<std::size_t>(index) * panel_stride_;
  }
  const std::uint8_t* panel(int index) const {
    return bytes_.data() + static_cast<std::size_t>(index) * panel_stride_;
  }
  WeightDType dtype_ = WeightDType::f32;
  int out_features_ = 0, in_features_ = 0;
  std::size_t panel_stride_ = 0;  // bytes between panels
  std::vector<std::uint8_t> bytes_;
};

}  // namespace phasor::kernels
