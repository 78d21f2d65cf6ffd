// Words of a choice, and values by the name of their parameter.

#include "phasor/params.h"

#include <algorithm>
#include <cstdint>
#include <cstdlib>

#include "encoding/packed_params.h"

namespace phasor {

const char* to_string(ParamKind kind) {
  switch (kind) {
    case ParamKind::real: return "real";
    case ParamKind::integer: return "integer";
    case ParamKind::choice: return "choice";
    case ParamKind::boolean: return "boolean";
    case ParamKind::tensor: return "tensor";
  }
  return "unknown";
}

std::vector<std::string_view> Words::list() const {
  std::vector<std::string_view> words;
  for (std::string_view rest = text_; !rest.empty();) {
    const std::size_t comma = std::min(rest.find(", "), rest.size());
    words.push_back(rest.substr(0, comma));
    rest.remove_prefix(std::min(comma + 2, rest.size()));
  }
  return words;
}

int Words::find(std::string_view word) const {
  int place = 0;
  for (const std::string_view known : list()) {
    if (known == word) return place;
    ++place;
  }
  return -1;
}

Values::Values(std::span<const ParamSpec> specs) : specs_(specs), slots_(specs.size()) {
  for (const ParamSpec& spec : specs) slots_[at(spec)].number = spec.default_value;
}

std::size_t Values::slot(std::string_view name) const {
  const auto spec = std::find_if(specs_.begin(), specs_.end(),
                                 [&](const ParamSpec& s) { return s.name == name; });
  if (spec == specs_.end()) std::abort();  // an encoding that asks for what it has not declared
  return static_cast<std::size_t>(spec - specs_.begin());
}

namespace {

std::string_view take_text(const char*& at) {
  const std::string_view text(at);
  at += text.size() + 1;
  return text;
}

double take_number(const char*& at) {
  std::uint64_t bits = 0;
  const int count = *at++;
  for (int i = 0; i < count; ++i)
    bits |= std::uint64_t{static_cast<std::uint8_t>(*at++)} << (8 * (7 - i));
  return __builtin_bit_cast(double, bits);
}

}  // namespace

std::vector<ParamSpec> unpack(PackedParams packed) {
  if (packed.empty()) return {};
  const char* at = packed.data();
  std::vector<ParamSpec> specs(static_cast<std::uint8_t>(*at++));
  for (ParamSpec& spec : specs) {
    spec.kind = static_cast<ParamKind>(*at % packing::kLogarithmic);
    spec.logarithmic = *at++ >= packing::kLogarithmic;
    for (const auto text : packing::kTexts) spec.*text = take_text(at);
    spec.choices = Words(take_text(at));
    spec.applies_when.param = take_text(at);
    spec.applies_when.values = Words(take_text(at));
    for (const auto number : packing::kNumbers) spec.*number = take_number(at);
  }
  return specs;
}

}  // namespace phasor
