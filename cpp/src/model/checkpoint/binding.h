#pragma once
// From the tensors of a checkpoint to the weights of a model: which tensor becomes what, and the
// conversion of its bytes.

#include <string>
#include <vector>

#include "model/checkpoint/checkpoint_reader.h"
#include "model/weights.h"

namespace phasor::model {

/// A tensor of a file and the place of its numbers: a matrix, or numbers as float32.
struct Binding {
  std::string name{};
  int file = 0;
  std::uint64_t begin = 0, size = 0;  ///< bytes of the file
  std::uint64_t row_bytes = 1;        ///< of a row of the file
  int columns = 1;                    ///< numbers of a row
  kernels::WeightDType dtype = kernels::WeightDType::f32;
  const GgufTensor* gguf = nullptr;  ///< where the row has blocks
  RowOrder rows{};                   ///< from a row of the file to a row of transformers
  kernels::StoredMatrix* matrix = nullptr;
  int out_features = 0, in_features = 0;  ///< of the matrix
  bool transposed = false;                ///< the file has (in_features, out_features)
  float* numbers = nullptr;
  float added = 0;         ///< to each of the numbers
  std::uint64_t done = 0;  ///< bytes that were converted

  bool is_done() const { return done == size; }
  /// Makes the matrix.
  Status allocate() const;
  /// The next rows of the file.
  ByteRange next() const;
  /// Converts the bytes of `next`. Rejects NaN and infinity.
  Status give(std::span<const std::uint8_t> bytes);

 private:
  Status take_row(int row, std::span<const std::uint8_t> bytes);
  Status take_blocks(int row, std::span<const std::uint8_t> bytes);
};

/// Finds every tensor that the config requires and lists what to read, in the order of the files.
/// Matrices have no memory yet. `weights` stays where it is, and the checkpoint as long as its
/// bytes are read.
Status bind_weights(const Checkpoint& checkpoint, Weights& weights, std::vector<Binding>& bindings);

}  // namespace phasor::model
