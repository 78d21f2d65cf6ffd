#include "model/checkpoint/binding.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "core/format_error.h"
#include "safetensors/half.h"

namespace phasor::model {

using kernels::WeightDType;

Status Binding::allocate() const {
  if (matrix == nullptr) return {};
  using kernels::StoredMatrix;
  PHASOR_TRY(check_memory("weights", StoredMatrix::bytes(dtype, out_features, in_features)));
  *matrix = StoredMatrix(dtype, out_features, in_features);
  return {};
}

ByteRange Binding::next_range() const {
  const std::uint64_t range_bytes =
      std::max<std::uint64_t>(1, kMaxRangeBytes / row_bytes) * row_bytes;
  return {file_index, begin + converted_bytes, std::min(range_bytes, size - converted_bytes)};
}

Status Binding::convert(std::span<const std::uint8_t> bytes) {
  const auto row_size = static_cast<std::size_t>(row_bytes);
  for (; !bytes.empty(); bytes = bytes.subspan(row_size), converted_bytes += row_size) {
    const int row = rows.stored_row(static_cast<int>(converted_bytes / row_bytes));
    PHASOR_TRY(gguf != nullptr ? convert_blocks(row, bytes.first(row_size))
                               : convert_row(row, bytes.first(row_size)));
  }
  return {};
}

Status Binding::convert_row(int row, std::span<const std::uint8_t> bytes) {
  const std::size_t element_bytes = dtype == WeightDType::f32 ? 4 : 2;
  for (int column = 0; column < columns; ++column) {
    const std::uint8_t* from = bytes.data() + static_cast<std::size_t>(column) * element_bytes;
    float value = 0;
    std::uint16_t bits = 0;
    if (dtype == WeightDType::f32) {
      std::memcpy(&value, from, element_bytes);
    } else {
      std::memcpy(&bits, from, element_bytes);
      value = dtype == WeightDType::f16 ? from_half(bits) : from_bfloat16(bits);
    }
    const std::size_t index = static_cast<std::size_t>(row) * static_cast<std::size_t>(columns) +
                              static_cast<std::size_t>(column);
    if (!std::isfinite(value)) {
      return invalid("{}[{}]: {} is not a finite number", Subject{name}, static_cast<double>(index),
                     static_cast<double>(value));
    }
    if (array != nullptr) {
      array[index] = value + addend;
      continue;
    }
    const int out = is_transposed ? column : row, in = is_transposed ? row : column;
    if (dtype == WeightDType::f32)
      matrix->set(out, in, value);
    else
      matrix->set(out, in, bits);
  }
  return {};
}

Status Binding::convert_blocks(int row, std::span<const std::uint8_t> bytes) {
  if (array != nullptr) {
    PHASOR_TRY_ASSIGN(const std::vector<float> values, dequantize(*gguf, bytes));
    float* to = array + static_cast<std::size_t>(row) * values.size();
    for (std::size_t i = 0; i < values.size(); ++i) to[i] = values[i] + addend;
    return {};
  }
  PHASOR_TRY_ASSIGN(const Int8Blocks blocks, to_int8_blocks(*gguf, bytes));
  for (std::size_t n = 0; n < blocks.scale.size(); ++n) {
    matrix->set_block(row, static_cast<int>(n), blocks.scale[n], blocks.offset[n],
                      blocks.values.data() + n * static_cast<std::size_t>(blocks.terms));
  }
  return {};
}

}  // namespace phasor::model
