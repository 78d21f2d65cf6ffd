#pragma once
// Parameters as bytes. A ParamSpec is a dozen addresses, lengths and mostly empty fields; those of
// all encodings were a tenth of the WebAssembly. What is shipped is packed by the compiler, and
// unpacked when somebody first asks (params() in registry.h).

#include <array>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "phasor/params.h"

namespace phasor {

/// A byte that counts them; for each parameter a byte for kind and scale, its texts, each with a
/// zero behind it, and its numbers: how many of their bytes are not zeros at the end, and these,
/// the highest first.
using PackedParams = std::string_view;

/// What was packed.
std::vector<ParamSpec> unpack(PackedParams packed);

namespace packing {

/// Its kinds are few enough for the lower bits.
inline constexpr int kLogarithmic = 8;

// In one order for both directions.
constexpr std::array kTexts = {&ParamSpec::name, &ParamSpec::unit, &ParamSpec::shape,
                               &ParamSpec::summary};
constexpr std::array<double ParamSpec::*, 3> kNumbers = {&ParamSpec::default_value, &ParamSpec::min,
                                                         &ParamSpec::max};

template <class Put>
constexpr void put(std::string_view text, Put put_byte) {
  for (const char letter : text) put_byte(letter);
  put_byte('\0');
}

template <class Put>
constexpr void put(double number, Put put_byte) {
  const auto bits = __builtin_bit_cast(std::uint64_t, number);
  int count = 8;
  while (count > 0 && (bits >> (8 * (8 - count)) & 255) == 0) --count;
  put_byte(static_cast<char>(count));
  for (int i = 0; i < count; ++i) put_byte(static_cast<char>(bits >> (8 * (7 - i)) & 255));
}

template <class Put>
constexpr void pack(std::span<const ParamSpec> specs, Put put_byte) {
  put_byte(static_cast<char>(specs.size()));
  for (const ParamSpec& spec : specs) {
    put_byte(
        static_cast<char>(static_cast<int>(spec.kind) | (spec.logarithmic ? kLogarithmic : 0)));
    for (const auto text : kTexts) put(spec.*text, put_byte);
    for (const std::string_view text :
         {spec.choices.text(), spec.applies_when.param, spec.applies_when.values.text()})
      put(text, put_byte);
    for (const auto number : kNumbers) put(spec.*number, put_byte);
  }
}

template <const auto& specs>
consteval auto packed() {
  constexpr std::size_t size = [] {
    std::size_t count = 0;
    pack(specs, [&](char) { ++count; });
    return count;
  }();
  std::array<char, size> bytes{};
  std::size_t next = 0;
  pack(specs, [&](char byte) { bytes[next++] = byte; });
  return bytes;
}

template <const auto& specs>
inline constexpr auto kBytes = packed<specs>();

}  // namespace packing

/// `specs`, a constant array, packed.
template <const auto& specs>
inline constexpr PackedParams pack{packing::kBytes<specs>.data(), packing::kBytes<specs>.size()};

}  // namespace phasor
