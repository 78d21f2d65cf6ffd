#pragma once
// Reads and writes the header of a safetensors file, a JSON object.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "phasor/ordered_map.h"
#include "phasor/result.h"

namespace phasor {

/// The header key for metadata. A tensor cannot have this name.
inline constexpr const char* kMetadataKey = "__metadata__";

struct StoredTensor {
  std::string name, dtype;
  std::vector<std::uint64_t> shape;
  std::uint64_t begin = 0, end = 0;  ///< byte offsets relative to the end of the header
};

struct FileHeader {
  std::vector<StoredTensor> tensors{};
  OrderedMap<std::string> metadata{};
};

/// Every file begins with the length of the header as an 8-byte integer.
inline constexpr std::uint64_t kLengthBytes = 8;
Status check_header_length(std::uint64_t length, std::uint64_t file_bytes);

Status read_header(std::string_view json, FileHeader& out);
/// Sorts the tensors by offset. Rejects gaps and overlaps between them.
Status check_offsets(FileHeader& header, std::uint64_t data_bytes);
/// Reads the shape of a tensor. Rejects a shape that, with `element_bytes` bytes per element, does
/// not match the byte range of the tensor.
Status read_shape(const StoredTensor& stored, int element_bytes, std::vector<int>& shape);
/// Returns the header as JSON, padded with spaces to a multiple of 8 bytes.
std::string write_header(const FileHeader& header);

}  // namespace phasor
