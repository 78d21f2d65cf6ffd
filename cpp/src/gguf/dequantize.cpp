#include <cmath>
#include <cstring>

#include "core/format_error.h"
#include "gguf/tensor_types.h"
#include "phasor/gguf.h"

namespace phasor {

namespace {

int row_terms(const GgufTensor& tensor) { return tensor.shape.empty() ? 1 : tensor.shape.back(); }

Status count_rows(const GgufTensor& tensor, std::span<const std::uint8_t> bytes,
                  double bytes_per_term, std::size_t& rows) {
  PHASOR_TRY(check_gguf_dtype(tensor));
  const std::uint64_t row_bytes = gguf_row_bytes(tensor);
  if (row_bytes == 0 ? !bytes.empty()
                     : bytes.size() % row_bytes != 0 || bytes.size() > tensor.end - tensor.begin)
    return invalid(
        "bytes: {} bytes do not fit {}; expected a multiple of {} bytes, up to the tensor's size",
        detail(bytes.size()), tensor.name, row_bytes);
  rows = row_bytes == 0 ? 0 : bytes.size() / static_cast<std::size_t>(row_bytes);
  return check_memory("bytes", static_cast<double>(rows) * row_terms(tensor) * bytes_per_term);
}

Status reject_non_finite(const GgufTensor& tensor) {
  return invalid("{}: contains a number that is not finite", tensor.name);
}

Status read_floats(const GgufTensor& tensor, std::span<const std::uint8_t> bytes,
                   std::vector<float>& out) {
  if (tensor.dtype == "F32") {
    if (!bytes.empty()) std::memcpy(out.data(), bytes.data(), bytes.size());
  } else {
    const bool is_bfloat16 = tensor.dtype == "BF16";
    for (std::size_t i = 0; i < out.size(); ++i) {
      const auto bits = static_cast<std::uint16_t>(bytes[2 * i] | bytes[2 * i + 1] << 8);
      out[i] = is_bfloat16 ? from_bfloat16(bits) : from_half(bits);
    }
  }
  return is_finite(out) ? Status() : reject_non_finite(tensor);
}

}  // namespace

Status check_gguf_dtype(const GgufTensor& tensor) {
  const TensorType* type = find_tensor_type(tensor.dtype);
  if (type != nullptr && (type->format != nullptr || tensor.dtype == "F32" ||
                          tensor.dtype == "F16" || tensor.dtype == "BF16"))
    return {};
  return invalid(
      "{}: the block type {} is not supported; requantise the file with llama-quantize "
      "--allow-requantize to Q8_0, or convert the model to one of {}",
      tensor.name, detail(tensor.dtype), kSupportedTypes);
}

std::uint64_t gguf_row_bytes(const GgufTensor& tensor) {
  const TensorType* type = find_tensor_type(tensor.dtype);
  if (type == nullptr) return 0;
  return static_cast<std::uint64_t>(row_terms(tensor) / type->block_terms) * type->block_bytes;
}

int gguf_block_terms(const GgufTensor& tensor) {
  const TensorType* type = find_tensor_type(tensor.dtype);
  return type == nullptr || type->format == nullptr ? 0 : type->format->terms_per_scale;
}

Result<Int8Blocks> to_int8_blocks(const GgufTensor& tensor, std::span<const std::uint8_t> bytes) {
  return Result<Int8Blocks>::from([&](Int8Blocks& out) -> Status {
    std::size_t rows = 0;
    // At most 1.5 bytes per element: one byte for the value, and two floats per 16 or 32 elements.
    PHASOR_TRY(count_rows(tensor, bytes, 1.5, rows));
    const BlockFormat* format = find_tensor_type(tensor.dtype)->format;
    if (format == nullptr)
      return invalid("{}: type {} is not a block type", tensor.name, detail(tensor.dtype));
    const std::size_t terms = rows * static_cast<std::size_t>(row_terms(tensor));
    out.terms = format->terms_per_scale;
    out.values.resize(terms);
    out.scale.resize(terms / static_cast<std::size_t>(out.terms));
    out.offset.resize(out.scale.size());
    const auto block_terms = static_cast<std::size_t>(format->terms);
    const std::size_t scales_per_block = block_terms / static_cast<std::size_t>(out.terms);
    for (std::size_t block = 0; block < terms / block_terms; ++block) {
      format->unpack(bytes.data() + block * static_cast<std::size_t>(format->bytes),
                     out.values.data() + block * block_terms,
                     out.scale.data() + block * scales_per_block,
                     out.offset.data() + block * scales_per_block);
    }
    // If scales and offsets are finite, all elements are finite, because an 8-bit value times a
    // scale is far below the maximum of float32.
    return is_finite(out.scale) && is_finite(out.offset) ? Status() : reject_non_finite(tensor);
  });
}

Result<std::vector<float>> dequantize(const GgufTensor& tensor,
                                      std::span<const std::uint8_t> bytes) {
  return Result<std::vector<float>>::from([&](std::vector<float>& out) -> Status {
    std::size_t rows = 0;
    PHASOR_TRY(count_rows(tensor, bytes, 5.5, rows));
    out.resize(rows * static_cast<std::size_t>(row_terms(tensor)));
    if (find_tensor_type(tensor.dtype)->format == nullptr) return read_floats(tensor, bytes, out);
    PHASOR_TRY_ASSIGN(const Int8Blocks blocks, to_int8_blocks(tensor, bytes));
    for (std::size_t i = 0; i < out.size(); ++i) {
      const std::size_t scale_index = i / static_cast<std::size_t>(blocks.terms);
      out[i] = blocks.scale[scale_index] * static_cast<float>(blocks.values[i]) +
               blocks.offset[scale_index];
    }
    return {};
  });
}

}  // namespace phasor
