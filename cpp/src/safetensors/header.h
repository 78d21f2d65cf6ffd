#pragma once
// The header of a safetensors file: a small JSON object.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "phasor/ordered_map.h"
#include "phasor/result.h"

namespace phasor {

/// The key of the metadata among the names of tensors.
inline constexpr const char* kMetadata = "__metadata__";

/// The entry of one tensor in a header.
struct StoredTensor {
  std::string name, dtype;
  std::vector<std::uint64_t> shape;
  std::uint64_t begin = 0, end = 0;  ///< bytes behind the header
};

struct FileHeader {
  std::vector<StoredTensor> tensors{};
  OrderedMap<std::string> metadata{};
};

/// Bytes before the header, its length as an integer.
inline constexpr std::uint64_t kLengthBytes = 8;
/// Rejects a length of the header that the file cannot have.
Status check_header_length(std::uint64_t length, std::uint64_t file_bytes);

Status read_header(std::string_view json, FileHeader& out);
/// Sorts the tensors by their offsets, and rejects bytes that belong to no tensor or to two.
Status check_offsets(FileHeader& header, std::uint64_t data_bytes);
/// The shape of a tensor whose numbers have `size` bytes each; rejects one that does not fit them.
Status read_shape(const StoredTensor& stored, int size, std::vector<int>& shape);
std::string written(const FileHeader& header);

}  // namespace phasor
