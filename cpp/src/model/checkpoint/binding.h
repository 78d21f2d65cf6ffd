#pragma once
// Maps checkpoint tensors to a model's weights, and converts their bytes.

#include <string>
#include <vector>

#include "model/checkpoint/checkpoint_reader.h"
#include "model/weights.h"

namespace phasor::model {

/// A tensor in a checkpoint file, and its destination in memory: a matrix or a float32 array.
struct Binding {
  std::string name{};
  int file_index = 0;
  std::uint64_t begin = 0, size = 0;  ///< byte range [begin, begin + size) in the file
  std::uint64_t row_bytes = 1;        ///< bytes per row in the file
  int columns = 1;                    ///< values per row
  kernels::WeightDType dtype = kernels::WeightDType::f32;
  const GgufTensor* gguf = nullptr;  ///< set only for tensors of quantised blocks
  RowOrder rows{};                   ///< maps rows in the file to rows in transformers
  kernels::StoredMatrix* matrix = nullptr;
  int out_features = 0, in_features = 0;
  bool is_transposed = false;  ///< the file stores the shape (in_features, out_features)
  float* array = nullptr;
  float addend = 0;  ///< added to each value of `array`
  std::uint64_t converted_bytes = 0;

  bool is_done() const { return converted_bytes == size; }
  Status allocate() const;
  /// The byte range of the rows to convert next.
  ByteRange next_range() const;
  /// Converts the bytes of next_range(). Rejects NaN and infinity.
  Status convert(std::span<const std::uint8_t> bytes);

 private:
  Status convert_row(int row, std::span<const std::uint8_t> bytes);
  Status convert_blocks(int row, std::span<const std::uint8_t> bytes);
};

/// Finds all tensors that the config requires, and lists their byte ranges in file order. Does not
/// allocate matrices. `weights` must not move while the bindings exist, and `checkpoint` must
/// outlive them.
Status bind_weights(const Checkpoint& checkpoint, Weights& weights, std::vector<Binding>& bindings);

}  // namespace phasor::model
