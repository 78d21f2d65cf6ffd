#include <algorithm>
#include <bit>

#include "core/format_error.h"
#include "core/repeated_name.h"
#include "gguf/gguf_reader.h"
#include "gguf/tensor_types.h"
#include "phasor/gguf.h"

namespace phasor {

static_assert(std::endian::native == std::endian::little,
              "reading GGUF requires a little-endian machine");

namespace {

// These limits are far above real files, which have at most a few thousand tensors and about a
// hundred keys.
constexpr std::uint64_t kMaxKeys = 65536, kMaxTensors = 262144;
// Minimum size in bytes of a key with its value, and of a tensor description.
constexpr std::uint64_t kMinKeyBytes = 13, kMinTensorBytes = 24;
constexpr std::uint32_t kMaxAxes = 4;

Status check_magic(std::span<const std::uint8_t> beginning) {
  const std::string_view magic(reinterpret_cast<const char*>(beginning.data()),
                               std::min<std::size_t>(beginning.size(), 4));
  if (magic == "GGUF") return {};
  for (const std::string_view legacy_magic : {"lmgg", "tjgg", "fmgg", "algg"}) {
    if (magic == legacy_magic)
      return invalid(
          "gguf: the file has a ggml format older than GGUF; convert the model again with "
          "convert_hf_to_gguf.py of llama.cpp");
  }
  return invalid("gguf: the file is not a GGUF file, which begins with the letters GGUF");
}

Status check_version(std::uint32_t version) {
  if (version == 2 || version == 3) return {};
  if ((version & 0xFFFF) == 0 && version != 0)
    return invalid(
        "gguf: the file is big-endian; convert it with gguf_convert_endian.py of llama.cpp");
  return invalid("gguf: version {} is not supported; expected version 2 or 3", detail(version));
}

Status check_count(const char* subject, std::uint64_t count, std::uint64_t min_bytes,
                   std::uint64_t max_count, std::uint64_t remaining_bytes) {
  if (count > remaining_bytes / min_bytes)
    return invalid("gguf: the header declares {} {}, but the file has only {} bytes for them",
                   detail(count), subject, remaining_bytes);
  if (count > max_count)
    return invalid("gguf: the header declares {} {}; expected at most {}", detail(count), subject,
                   max_count);
  return {};
}

void read_metadata(GgufReader& reader, std::uint64_t count, OrderedMap<GgufValue>& out) {
  for (std::uint64_t n = 0; n < count && reader.can_read(); ++n) {
    std::string key = reader.read_text("a key");
    const auto type = reader.read_number<std::uint32_t>();
    if (!reader.can_read()) return;
    reader.read_value(key, static_cast<GgufType>(type), out.add(key, {}));
  }
}

// Sets out.begin to the offset of the tensor within the tensor data, and out.end to its size in
// bytes. set_tensor_positions converts both to file positions.
Status read_tensor(GgufReader& reader, GgufTensor& out) {
  out.name = reader.read_text("the name of a tensor");
  const auto axis_count = reader.read_number<std::uint32_t>();
  if (axis_count > kMaxAxes)
    return invalid("gguf: {} has {} axes; expected at most {}", detail(out.name), axis_count,
                   kMaxAxes);
  double element_count = 1;  // double, because the product may not fit in 64 bits
  for (std::uint32_t axis = 0; axis < axis_count; ++axis) {
    const auto extent = reader.read_number<std::uint64_t>();
    if (extent > static_cast<std::uint64_t>(kMaxExtent))
      return invalid("gguf: {} has an extent of {}; expected at most {}", detail(out.name), extent,
                     kMaxExtent);
    element_count *= static_cast<double>(extent);
    out.shape.insert(out.shape.begin(), static_cast<int>(extent));
  }
  const auto id = reader.read_number<std::uint32_t>();
  out.begin = reader.read_number<std::uint64_t>();
  if (!reader.can_read()) return {};
  const TensorType* type = find_tensor_type(id);
  if (type == nullptr)
    return invalid("gguf: {} has the unknown ggml type {}", detail(out.name), id);
  out.dtype = type->name;
  const int row_size = out.shape.empty() ? 1 : out.shape.back();
  if (row_size % type->block_terms != 0)
    return invalid(
        "gguf: {} has rows of {} elements, which is not a multiple of the block size, {}",
        detail(out.name), row_size, static_cast<int>(type->block_terms));
  const double bytes = element_count / type->block_terms * type->block_bytes;
  if (bytes > static_cast<double>(reader.remaining_bytes()))
    return invalid("gguf: {} needs {} bytes, but the file has only {} more", detail(out.name),
                   bytes, reader.remaining_bytes());
  out.end = static_cast<std::uint64_t>(bytes);
  return {};
}

Status read_alignment(const GgufHeader& header, std::uint64_t& alignment) {
  const GgufValue* value = header.metadata.find("general.alignment");
  if (value == nullptr) return {};
  const auto* number = std::get_if<std::uint64_t>(&value->value);
  if (number == nullptr || *number < 8 || *number > 1048576 || (*number & (*number - 1)) != 0)
    return invalid("general.alignment: is not a power of two from 8 to 1048576");
  alignment = *number;
  return {};
}

Status set_tensor_positions(std::uint64_t data_begin, std::uint64_t alignment,
                            std::uint64_t file_size, std::vector<GgufTensor>& tensors) {
  std::vector<GgufTensor*> sorted_tensors;
  for (GgufTensor& tensor : tensors) {
    const std::uint64_t size = tensor.end, offset = tensor.begin;
    if (data_begin > file_size || offset > file_size - data_begin ||
        size > file_size - data_begin - offset)
      return invalid(
          "gguf: {} extends past the end of the file, which is truncated or has an invalid header",
          detail(tensor.name));
    if (offset % alignment != 0)
      return invalid("gguf: {} begins at byte {}, which is not a multiple of the alignment, {}",
                     detail(tensor.name), offset, alignment);
    tensor.begin = data_begin + offset;
    tensor.end = tensor.begin + size;
    sorted_tensors.push_back(&tensor);
  }
  std::sort(sorted_tensors.begin(), sorted_tensors.end(),
            [](const GgufTensor* a, const GgufTensor* b) {
              return a->begin != b->begin ? a->begin < b->begin : a->end < b->end;
            });
  std::uint64_t end = data_begin;
  for (const GgufTensor* tensor : sorted_tensors) {
    const std::uint64_t next_begin = (end + alignment - 1) / alignment * alignment;
    if (tensor->begin < end)
      return invalid("gguf: {} overlaps the tensor before it", detail(tensor->name));
    if (tensor->begin > next_begin)
      return invalid("gguf: {} bytes before {} belong to no tensor",
                     detail(tensor->begin - next_begin), tensor->name);
    end = tensor->end;
  }
  return {};
}

Status read_header(GgufReader& reader, std::uint64_t file_size, GgufHeader& out) {
  reader.read_number<std::uint32_t>();  // the magic
  out.version = reader.read_number<std::uint32_t>();
  if (reader.can_read()) PHASOR_TRY(check_version(out.version));
  const auto tensor_count = reader.read_number<std::uint64_t>(),
             key_count = reader.read_number<std::uint64_t>();
  if (!reader.can_read()) return reader.status();
  PHASOR_TRY(check_count("keys", key_count, kMinKeyBytes, kMaxKeys, reader.remaining_bytes()));
  PHASOR_TRY(
      check_count("tensors", tensor_count, kMinTensorBytes, kMaxTensors, reader.remaining_bytes()));
  read_metadata(reader, key_count, out.metadata);
  for (std::uint64_t n = 0; n < tensor_count && reader.can_read(); ++n)
    PHASOR_TRY(read_tensor(reader, out.tensors.emplace_back()));
  if (!reader.can_read()) return reader.status();
  out.end = reader.offset();

  if (const auto key = find_repeated_name(out.metadata))
    return invalid("gguf: the key {} occurs twice", detail(*key));
  std::vector<std::string_view> names;
  for (const GgufTensor& tensor : out.tensors) names.push_back(tensor.name);
  if (const auto name = find_repeated_name(std::move(names)))
    return invalid("gguf: {} is the name of two tensors", detail(*name));
  if (const GgufValue* split_count = out.metadata.find("split.count")) {
    const auto* count = std::get_if<std::uint64_t>(&split_count->value);
    if (count == nullptr || *count > 1)
      return invalid(
          "split.count: the file is one of several parts; join the parts with llama-gguf-split "
          "--merge");
  }
  std::uint64_t alignment = 32;
  PHASOR_TRY(read_alignment(out, alignment));
  const std::uint64_t data_begin = (out.end + alignment - 1) / alignment * alignment;
  return set_tensor_positions(data_begin, alignment, file_size, out.tensors);
}

}  // namespace

Result<GgufHeaderPart> read_gguf_header(std::span<const std::uint8_t> beginning,
                                        std::uint64_t file_size) {
  return Result<GgufHeaderPart>::from([&](GgufHeaderPart& out) -> Status {
    if (beginning.size() > file_size)
      return invalid("gguf: {} bytes were provided, but the file has only {}",
                     detail(beginning.size()), file_size);
    if (file_size < 4 || beginning.size() >= 4) PHASOR_TRY(check_magic(beginning));
    // Byte arrays are stored as doubles, which take eight times as much memory as in the file.
    constexpr double kMemoryPerHeaderByte = 10;
    PHASOR_TRY(check_memory("gguf", kMemoryPerHeaderByte * static_cast<double>(beginning.size())));
    GgufReader reader(beginning, file_size);
    PHASOR_TRY(read_header(reader, file_size, out.header));
    PHASOR_TRY(reader.status());
    if (reader.bytes_needed() > 0) {
      out.header = {};
      const std::uint64_t doubled_size = 2 * static_cast<std::uint64_t>(beginning.size());
      out.bytes_needed = std::min(file_size, std::max(reader.bytes_needed(), doubled_size));
    }
    return {};
  });
}

Result<std::vector<std::string>> read_gguf_strings(const GgufArray& array,
                                                   std::span<const std::uint8_t> bytes) {
  return Result<std::vector<std::string>>::from([&](std::vector<std::string>& out) -> Status {
    if (array.type != GgufType::string) return invalid("array: the elements are not strings");
    if (bytes.size() != array.end - array.begin)
      return invalid("bytes: {} were provided, but the array has {}", detail(bytes.size()),
                     array.end - array.begin);
    GgufReader reader(bytes, bytes.size());
    for (std::uint64_t n = 0; n < array.count && reader.can_read(); ++n)
      out.push_back(reader.read_text("a string of the array"));
    PHASOR_TRY(reader.status());
    if (reader.remaining_bytes() > 0)
      return invalid("bytes: extend beyond the last string of the array");
    return {};
  });
}

}  // namespace phasor
