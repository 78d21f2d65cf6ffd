#include "phasor/safetensors.h"

#include <bit>
#include <cmath>
#include <cstring>

#include "core/format_error.h"
#include "core/repeated_name.h"
#include "safetensors/half.h"
#include "safetensors/header.h"

namespace phasor {

static_assert(std::endian::native == std::endian::little, "safetensors files are little-endian");

namespace {

std::string_view to_string_view(std::span<const std::uint8_t> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

// Reads a tensor whose byte range has been checked.
Status read_tensor(const StoredTensor& stored, std::span<const std::uint8_t> data, Tensor& out) {
  const bool is_bfloat16 = stored.dtype == "BF16", is_16_bit = is_bfloat16 || stored.dtype == "F16";
  if (!is_16_bit && stored.dtype != "F32") {
    return invalid("weights: {} is stored as {}; expected F32, F16 or BF16", detail(stored.name),
                   stored.dtype);
  }
  std::vector<int> shape;
  PHASOR_TRY(read_shape(stored, is_16_bit ? 2 : 4, shape));
  PHASOR_TRY(check_size("weights", "an array", shape));
  out = Tensor(std::move(shape));
  const std::uint8_t* from = data.data() + stored.begin;
  const std::uint64_t bytes = stored.end - stored.begin;
  if (!is_16_bit && bytes > 0) std::memcpy(out.data.data(), from, static_cast<std::size_t>(bytes));
  for (std::size_t i = 0; is_16_bit && i < out.data.size(); ++i) {
    std::uint16_t bits = 0;
    std::memcpy(&bits, from + 2 * i, sizeof bits);
    out.data[i] = is_bfloat16 ? from_bfloat16(bits) : from_half(bits);
  }
  return check_tensor(stored.name.c_str(), out);
}

}  // namespace

Result<SafetensorsFile> read_safetensors(std::span<const std::uint8_t> bytes) {
  return Result<SafetensorsFile>::from([&](SafetensorsFile& out) -> Status {
    if (bytes.size() < kLengthBytes) {
      return invalid(
          "weights: {} bytes are too few for a safetensors file, which begins with an 8-byte "
          "length",
          detail(bytes.size()));
    }
    std::uint64_t length = 0;
    std::memcpy(&length, bytes.data(), kLengthBytes);
    PHASOR_TRY(check_header_length(length, bytes.size()));
    constexpr double kMemoryPerHeaderByte = 20;
    PHASOR_TRY(check_memory("weights", kMemoryPerHeaderByte * static_cast<double>(length)));
    FileHeader header;
    PHASOR_TRY(read_header(
        to_string_view(bytes.subspan(kLengthBytes, static_cast<std::size_t>(length))), header));
    const auto data = bytes.subspan(kLengthBytes + static_cast<std::size_t>(length));
    PHASOR_TRY(check_offsets(header, data.size()));
    for (const StoredTensor& stored : header.tensors)
      PHASOR_TRY(read_tensor(stored, data, out.tensors.add(stored.name, {})));
    out.metadata = std::move(header.metadata);
    return {};
  });
}

Result<std::vector<std::uint8_t>> write_safetensors(const SafetensorsFile& file, DType stored) {
  return Result<std::vector<std::uint8_t>>::from([&](std::vector<std::uint8_t>& out) -> Status {
    const bool is_half = stored == DType::f16;
    if (const auto name = find_repeated_name(file.tensors))
      return invalid("weights: {} is the name of two tensors", detail(*name));
    if (file.tensors.contains(kMetadataKey))
      return invalid("weights: {} is reserved for metadata; expected another tensor name",
                     detail(kMetadataKey));
    if (const auto name = find_repeated_name(file.metadata))
      return invalid("metadata: {} occurs twice", detail(*name));
    FileHeader header;
    header.metadata = file.metadata;
    std::uint64_t end = 0;
    for (const auto& [name, tensor] : file.tensors) {
      PHASOR_TRY(check_tensor(name.c_str(), tensor));
      StoredTensor entry{.name = name, .dtype = is_half ? "F16" : "F32", .shape = {}, .begin = end};
      for (const int extent : tensor.shape)
        entry.shape.push_back(static_cast<std::uint64_t>(extent));
      end += tensor.data.size() * (is_half ? 2 : 4);
      entry.end = end;
      header.tensors.push_back(std::move(entry));
      for (std::size_t i = 0; is_half && i < tensor.data.size(); ++i) {
        if (std::fabs(tensor.data[i]) < 65520.0f) continue;
        return invalid("{}: {} is too large for F16, whose maximum is 65504", name,
                       static_cast<double>(tensor.data[i]));
      }
    }
    const std::string text = write_header(header);
    PHASOR_TRY(
        check_memory("weights", static_cast<double>(end) + static_cast<double>(text.size())));
    out.resize(static_cast<std::size_t>(kLengthBytes + text.size() + end));
    const std::uint64_t length = text.size();
    std::uint8_t* to = out.data();
    std::memcpy(to, &length, kLengthBytes);
    std::memcpy(to += kLengthBytes, text.data(), text.size());
    to += text.size();
    for (const auto& [name, tensor] : file.tensors) {
      if (!is_half) {
        const std::size_t bytes = tensor.data.size() * sizeof(float);
        if (bytes > 0) std::memcpy(to, tensor.data.data(), bytes);
        to += bytes;
        continue;
      }
      for (const float x : tensor.data) {
        const std::uint16_t bits = to_half(x);
        std::memcpy(to, &bits, sizeof bits);
        to += sizeof bits;
      }
    }
    return {};
  });
}

}  // namespace phasor
