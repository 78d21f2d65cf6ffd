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

Status read_header(std::string_view json, FileHeader& out);
std::string written(const FileHeader& header);

}  // namespace phasor
