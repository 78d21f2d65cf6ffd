#pragma once
// Reads a checkpoint's headers: the config and the list of tensors, with their names in
// transformers. Each file format has one implementation.

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "phasor/gguf.h"
#include "phasor/model.h"
#include "safetensors/header.h"

namespace phasor::model {

/// A tensor in a checkpoint file, and the differences between its layout and that in transformers.
struct CheckpointTensor {
  /// The name in transformers, but the shape, dtype and byte range in the file
  StoredTensor stored{};
  int file_index = 0;
  const GgufTensor* gguf = nullptr;  ///< nullptr for safetensors files
  RowOrder rows{};
  bool is_transposed = false;             ///< stored as the transpose of the weight in transformers
  bool norm_weight_includes_one = false;  ///< a norm weight w that is stored as 1 + w
};

struct Checkpoint {
  Params config{};
  std::vector<CheckpointTensor> tensors{};
  std::optional<GgufHeader> gguf{};
};

class CheckpointReader {
 public:
  virtual ~CheckpointReader() = default;
  /// The next byte range to read, or nullopt when all headers have been read.
  virtual std::optional<ByteRange> next_range() const = 0;
  virtual Status add_bytes(std::span<const std::uint8_t> bytes) = 0;
  /// The checkpoint; complete when next_range() returns nullopt.
  const Checkpoint& checkpoint() const { return checkpoint_; }

 protected:
  Checkpoint checkpoint_{};
};

/// Maximum size of a byte range that is requested at once.
inline constexpr std::uint64_t kMaxRangeBytes = 8388608;

std::unique_ptr<CheckpointReader> create_safetensors_reader(Params config,
                                                            std::vector<CheckpointFile> files);
std::unique_ptr<CheckpointReader> create_gguf_reader(CheckpointFile file);

}  // namespace phasor::model
