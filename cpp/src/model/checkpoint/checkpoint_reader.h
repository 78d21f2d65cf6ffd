#pragma once
// Reads the headers of a checkpoint by byte ranges: its config, and its tensors under their names
// in transformers. One implementation per file format.

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "phasor/gguf.h"
#include "phasor/model.h"
#include "safetensors/header.h"

namespace phasor::model {

/// A tensor of a checkpoint, and how its layout in a GGUF file differs from transformers.
struct CheckpointTensor {
  /// The name as in transformers; shape, dtype and byte range as in the file
  StoredTensor stored{};
  int file = 0;
  const GgufTensor* gguf = nullptr;  ///< nullptr for safetensors files
  RowOrder rows{};
  bool is_transposed = false;  ///< transformers stores the transpose of this shape
  bool includes_one = false;   ///< the weight of a norm, stored as 1 + weight
};

struct Checkpoint {
  Params config{};
  std::vector<CheckpointTensor> tensors{};
  std::optional<GgufHeader> gguf{};
};

class CheckpointReader {
 public:
  virtual ~CheckpointReader() = default;
  /// The next range to read, as in ModelLoader; nullopt after all headers are read.
  virtual std::optional<ByteRange> wants() const = 0;
  virtual Status give(std::span<const std::uint8_t> bytes) = 0;
  /// Complete once wants() returns nullopt.
  const Checkpoint& checkpoint() const { return checkpoint_; }

 protected:
  Checkpoint checkpoint_{};
};

/// The largest byte range requested at once.
inline constexpr std::uint64_t kMaxRangeBytes = 8388608;

std::unique_ptr<CheckpointReader> create_safetensors_reader(Params config,
                                                            std::vector<CheckpointFile> files);
std::unique_ptr<CheckpointReader> create_gguf_reader(CheckpointFile file);

}  // namespace phasor::model
