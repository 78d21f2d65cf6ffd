#pragma once
// The header of a safetensors file: a small JSON object.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "phasor/ordered_map.h"
#include "phasor/result.h"

namespace phasor {

/// The metadata key, which cannot name a tensor.
inline constexpr const char* kMetadata = "__metadata__";

/// The header entry of one tensor.
struct StoredTensor {
  std::string name, dtype;
  std::vector<std::uint64_t> shape;
  std::uint64_t begin = 0, end = 0;  ///< byte offsets relative to the end of the header
};

struct FileHeader {
  std::vector<StoredTensor> tensors{};
  OrderedMap<std::string> metadata{};
};

/// Size of the header length, an 8-byte integer at the start of the file.
inline constexpr std::uint64_t kLengthBytes = 8;
/// Rejects a header length that exceeds the file.
Status check_header_length(std::uint64_t length, std::uint64_t file_bytes);

Status read_header(std::string_view json, FileHeader& out);
/// Sorts tensors by offset, and rejects gaps and overlaps.
Status check_offsets(FileHeader& header, std::uint64_t data_bytes);
/// Reads the shape of a tensor with `size` bytes per element. Rejects a shape that does not match
/// the byte range.
Status read_shape(const StoredTensor& stored, int size, std::vector<int>& shape);
/// Writes a header of a multiple of 8 bytes.
std::string write_header(const FileHeader& header);

}  // namespace phasor
