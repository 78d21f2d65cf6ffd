#include "model/binding.h"

#include <cmath>
#include <cstring>

#include "core/format_error.h"
#include "safetensors/half.h"

namespace phasor::model {

using kernels::WeightDType;

Status Binding::give(std::span<const std::uint8_t> bytes) {
  const auto each = static_cast<std::size_t>(bytes_per_number());
  std::uint64_t index = done / each;
  for (std::size_t at = 0; at < bytes.size(); at += each, ++index) {
    float value = 0;
    std::uint16_t bits = 0;
    if (dtype == WeightDType::f32) {
      std::memcpy(&value, bytes.data() + at, each);
    } else {
      std::memcpy(&bits, bytes.data() + at, each);
      value = dtype == WeightDType::f16 ? from_half(bits) : from_bfloat16(bits);
    }
    if (!std::isfinite(value)) {
      return invalid("{}[{}]: {} is not a finite number", Subject{name}, static_cast<double>(index),
                     static_cast<double>(value));
    }
    if (numbers != nullptr) {
      numbers[index] = value + added;
      continue;
    }
    int out = static_cast<int>(index / static_cast<std::uint64_t>(columns));
    int in = static_cast<int>(index % static_cast<std::uint64_t>(columns));
    if (transposed) std::swap(out, in);
    if (dtype == WeightDType::f32)
      matrix->set(out, in, value);
    else
      matrix->set(out, in, bits);
  }
  done += bytes.size();
  return {};
}

}  // namespace phasor::model
