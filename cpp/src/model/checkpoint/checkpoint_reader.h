#pragma once
// The headers of a checkpoint, read by byte ranges: its config, and its tensors under the names
// that transformers has for them. One implementation per file format.

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "phasor/gguf.h"
#include "phasor/model.h"
#include "safetensors/header.h"

namespace phasor::model {

/// A tensor of a checkpoint and what a GGUF file has otherwise than transformers.
struct CheckpointTensor {
  /// Name of transformers; the shape, the dtype and the bytes of the file
  StoredTensor stored{};
  int file = 0;
  const GgufTensor* gguf = nullptr;  ///< nullptr: of a safetensors file
  RowOrder rows{};
  bool is_transposed = false;  ///< the shape is that of the transpose in transformers
  bool includes_one = false;   ///< the weight of a norm, plus one
};

struct Checkpoint {
  Params config{};
  std::vector<CheckpointTensor> tensors{};
  std::optional<GgufHeader> gguf{};
};

class CheckpointReader {
 public:
  virtual ~CheckpointReader() = default;
  /// As ModelLoader; nothing once all headers were read.
  virtual std::optional<ByteRange> wants() const = 0;
  virtual Status give(std::span<const std::uint8_t> bytes) = 0;
  /// Complete once nothing is wanted.
  const Checkpoint& checkpoint() const { return checkpoint_; }

 protected:
  Checkpoint checkpoint_{};
};

/// Bytes of one range at most.
inline constexpr std::uint64_t kPiece = 8388608;

std::unique_ptr<CheckpointReader> create_safetensors_reader(Params config,
                                                            std::vector<CheckpointFile> files);
std::unique_ptr<CheckpointReader> create_gguf_reader(CheckpointFile file);

}  // namespace phasor::model
