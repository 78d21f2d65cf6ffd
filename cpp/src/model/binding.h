#pragma once
// From the tensors of a checkpoint to the weights of a model: which tensor becomes what, and the
// conversion of its bytes.

#include <string>
#include <vector>

#include "model/weights.h"
#include "safetensors/header.h"

namespace phasor::model {

/// A tensor of a file and the place of its numbers: a matrix, or numbers as float32.
struct Binding {
  std::string name{};
  int file = 0;
  std::uint64_t begin = 0, size = 0;  ///< bytes of the file
  kernels::WeightDType dtype = kernels::WeightDType::f32;
  int columns = 1;
  kernels::StoredMatrix* matrix = nullptr;
  bool transposed = false;  ///< the file has (in_features, out_features)
  float* numbers = nullptr;
  float added = 0;         ///< to each of the numbers
  std::uint64_t done = 0;  ///< bytes that were converted

  /// Converts the next bytes, whole numbers of the tensor. Rejects NaN and infinity.
  Status give(std::span<const std::uint8_t> bytes);
  int bytes_per_number() const { return dtype == kernels::WeightDType::f32 ? 4 : 2; }
};

/// A file of a checkpoint and its header.
struct OpenedFile {
  CheckpointFile file{};
  FileHeader header{};
  std::uint64_t data_begin = 0;
};

/// Finds every tensor that the config requires, allocates the weights and lists what to read, in
/// the order of the files. `weights` stays where it is.
Status bind_weights(const Params& config, const std::vector<OpenedFile>& files, Weights& weights,
                    std::vector<Binding>& bindings);

}  // namespace phasor::model
