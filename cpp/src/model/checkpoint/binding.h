#pragma once
// Binds the tensors of a checkpoint to the weights of a model, and converts their bytes.

#include <string>
#include <vector>

#include "model/checkpoint/checkpoint_reader.h"
#include "model/weights.h"

namespace phasor::model {

/// A tensor of a file and its destination: a matrix, or a float32 array.
struct Binding {
  std::string name{};
  int file = 0;
  std::uint64_t begin = 0, size = 0;  ///< bytes [begin, begin + size) of the file
  std::uint64_t row_bytes = 1;        ///< bytes per row in the file
  int columns = 1;                    ///< numbers per row
  kernels::WeightDType dtype = kernels::WeightDType::f32;
  const GgufTensor* gguf = nullptr;  ///< set if rows consist of quantised blocks
  RowOrder rows{};                   ///< maps rows of the file to rows in transformers' order
  kernels::StoredMatrix* matrix = nullptr;
  int out_features = 0, in_features = 0;  ///< dims of the matrix
  bool transposed = false;                ///< the file stores (in_features, out_features)
  float* numbers = nullptr;
  float addend = 0;        ///< added to each number
  std::uint64_t done = 0;  ///< bytes already converted

  bool is_done() const { return done == size; }
  /// Allocates the destination if it is a matrix.
  Status allocate() const;
  /// The range of the next rows to read.
  ByteRange next() const;
  /// Converts the bytes of the range `next()`. Rejects NaN and infinity.
  Status convert(std::span<const std::uint8_t> bytes);

 private:
  Status convert_row(int row, std::span<const std::uint8_t> bytes);
  Status convert_blocks(int row, std::span<const std::uint8_t> bytes);
};

/// Finds every tensor that the config requires and lists the ranges to read, in file order. Does
/// not allocate matrices. `weights` must not move while bindings exist, and the checkpoint must
/// outlive them.
Status bind_weights(const Checkpoint& checkpoint, Weights& weights, std::vector<Binding>& bindings);

}  // namespace phasor::model
