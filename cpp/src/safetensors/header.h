#pragma once
// Reads and writes the header of a safetensors file, a JSON object.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "phasor/ordered_map.h"
#include "phasor/result.h"

namespace phasor {

/// The key of the metadata in the header, which no tensor can have.
inline constexpr const char* kMetadataKey = "__metadata__";

/// The header entry of a tensor.
struct StoredTensor {
  std::string name, dtype;
  std::vector<std::uint64_t> shape;
  std::uint64_t begin = 0, end = 0;  ///< byte offsets relative to the end of the header
};

struct FileHeader {
  std::vector<StoredTensor> tensors{};
  OrderedMap<std::string> metadata{};
};

/// The file begins with the length of the header, an 8-byte integer.
inline constexpr std::uint64_t kLengthBytes = 8;
/// Rejects a header that is longer than the file.
Status check_header_length(std::uint64_t length, std::uint64_t file_bytes);

Status read_header(std::string_view json, FileHeader& out);
/// Sorts tensors by offset. Rejects gaps and overlaps.
Status check_offsets(FileHeader& header, std::uint64_t data_bytes);
/// Reads the shape of a tensor with `element_bytes` bytes per element. Rejects a shape that does
/// not match the byte range of the tensor.
Status read_shape(const StoredTensor& stored, int element_bytes, std::vector<int>& shape);
/// The header as text, padded with spaces to a multiple of 8 bytes.
std::string write_header(const FileHeader& header);

}  // namespace phasor
