#pragma once
// The weight of a linear layer in the number format of the checkpoint, as the right operand of
// products. A product converts one slab of numbers at a time to float32, so weights need no more
// memory than in the file.

#include <cstdint>
#include <vector>

#include "kernels/isa.h"
#include "kernels/weight_formats.h"

namespace phasor::kernels {

/// A matrix (out_features, in_features), like the weight of torch.nn.Linear, stored as panels of 16
/// output features. The 16 numbers of a panel for one input feature are contiguous.
class StoredMatrix {
 public:
  StoredMatrix() = default;
  /// Zeros.
  StoredMatrix(WeightDType dtype, int out_features, int in_features);
  /// Bytes of such a matrix, as a double, because a size_t could overflow.
  static double bytes(WeightDType dtype, int out_features, int in_features);

  WeightDType dtype() const { return dtype_; }
  int out_features() const { return out_; }
  int in_features() const { return in_; }
  bool empty() const { return out_ == 0; }

  /// Sets one number of a float32 matrix.
  void set(int out, int in, float value);
  /// Sets one number of a bfloat16 or float16 matrix from its bits, which must be finite.
  void set(int out, int in, std::uint16_t bits);
  /// Sets the terms of block `block` of row `out` to scale * q + offset; q beyond in_features is
  /// ignored.
  void set_block(int out, int block, float scale, float offset, const std::int8_t* q);

  /// Writes row `out`, (in_features), as float32.
  void copy_row(int out, float* to) const;

  /// y (rows, out_features) = x (rows, in_features) times the transpose of this matrix. Sums are
  /// computed 256 terms at a time, then added. For f32, bf16 and f16 each row of y has the same
  /// bits for any number of rows. For blocks, a single row of x is first rounded to 31 bits of the
  /// largest magnitude of each block, with an error below 3e-7 of the sum of magnitudes. Threads
  /// divide the columns of a large product, never a sum.
  void product(const ConstMatrixRef& x, const MatrixRef& y, Level level = widest_level(),
               int threads = 1) const;

 private:
  /// y = x times the output features from `first_out` on, which begins a panel, summed in the order
  /// used for several rows.
  void product_of_rows(const ConstMatrixRef& x, int first_out, const MatrixRef& y,
                       Level level) const;
  std::uint8_t* panel(int number) {
    return bytes_.data() + static_cast<std::size_t>(number) * step_;
  }
  const std::uint8_t* panel(int number) const {
    return bytes_.data() + static_cast<std::size_t>(number) * step_;
  }
  WeightDType dtype_ = WeightDType::f32;
  int out_ = 0, in_ = 0;
  std::size_t step_ = 0;  // bytes from one panel to the next
  std::vector<std::uint8_t> bytes_;
};

}  // namespace phasor::kernels
