#include "phasor/registry.h"

#include <algorithm>
#include <cmath>

#include "math/sentence.h"

// One line per file of cpp/src/encodings, written by CMake. Naming the functions here is what keeps the linker from
// dropping an encoding, as it may do with objects that only register themselves.
#define PHASOR_USE(id) const phasor::EncodingType& phasor_encoding_##id();
#include "encodings.inc"
#undef PHASOR_USE

namespace phasor {

namespace {

std::string list(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : ", ") + word;
  return text;
}

Status choose(const ParamSpec& spec, const std::string& word, double& out) {
  const auto found = std::find(spec.choices.begin(), spec.choices.end(), word);
  if (found == spec.choices.end()) {
    return Status::invalid(spec.name + ": \"" + word + "\" is not one of " + list(spec.choices));
  }
  out = static_cast<double>(found - spec.choices.begin());
  return {};
}

Status give_tensor(const ParamSpec& spec, const ParamValue& value, Values& out) {
  const auto* tensor = std::get_if<Tensor>(&value);
  if (tensor == nullptr || tensor->empty()) return Status::invalid(spec.name + ": an array {shape, data} is needed, " + spec.shape);
  PHASOR_TRY(check_finite(spec.name, tensor->data));
  out.set(spec.name, *tensor);
  return {};
}

// The number that stands for a given value, or a sentence about what is wrong with it.
Status validate(const ParamSpec& spec, const ParamValue& value, double& out) {
  if (const auto* word = std::get_if<std::string>(&value)) {
    if (spec.kind == ParamKind::choice) return choose(spec, *word, out);
    return Status::invalid(spec.name + ": \"" + *word + "\" is not a number");
  }
  if (const auto* yes = std::get_if<bool>(&value)) {
    if (spec.kind != ParamKind::boolean) return Status::invalid(spec.name + ": true and false are not allowed here");
    out = *yes ? 1.0 : 0.0;
    return {};
  }
  if (std::holds_alternative<Tensor>(value)) return Status::invalid(spec.name + ": an array is not allowed here");
  out = std::get<double>(value);
  if (spec.kind == ParamKind::choice) {
    return Status::invalid(spec.name + ": " + to_words(out) + " is not one of " + list(spec.choices));
  }
  if (spec.kind == ParamKind::boolean) return Status::invalid(spec.name + ": " + to_words(out) + " is not true or false");
  if (spec.kind == ParamKind::integer && out != std::floor(out)) {
    return Status::invalid(spec.name + ": " + to_words(out) + " is not a whole number");
  }
  return check_range(spec.name, out, spec.min, spec.max);
}

Status resolve(const EncodingType& type, const EncodingConfig& config, Values& out) {
  for (const ParamSpec& spec : type.params) {
    if (spec.kind != ParamKind::tensor) out.set(spec.name, spec.fallback);
  }
  for (const auto& [name, value] : config.params) {
    const auto spec =
        std::find_if(type.params.begin(), type.params.end(), [&wanted = name](const ParamSpec& s) { return s.name == wanted; });
    if (spec == type.params.end()) {
      std::vector<std::string> known;
      for (const ParamSpec& s : type.params) known.push_back(s.name);
      return Status::unknown(name + ": " + type.id + " has no such parameter; it has " + (known.empty() ? "none" : list(known)));
    }
    out.set_given(name);
    if (spec->kind == ParamKind::tensor) {
      PHASOR_TRY(give_tensor(*spec, value, out));
      continue;
    }
    double number = 0;
    PHASOR_TRY(validate(*spec, value, number));
    out.set(name, number);
  }
  return {};
}

}  // namespace

std::span<const EncodingType* const> encodings() {
  static const std::vector<const EncodingType*> all = {
#define PHASOR_USE(id) &phasor_encoding_##id(),
#include "encodings.inc"
#undef PHASOR_USE
  };
  return all;
}

const EncodingType* find(std::string_view id) {
  for (const EncodingType* type : encodings()) {
    if (type->id == id) return type;
  }
  return nullptr;
}

Status create(const EncodingConfig& config, const Geometry& geometry, std::unique_ptr<Encoding>& out) {
  const EncodingType* type = find(config.id);
  if (type == nullptr) {
    std::vector<std::string> ids;
    for (const EncodingType* known : encodings()) ids.push_back(known->id);
    return Status::unknown("encoding: \"" + config.id + "\" is unknown; there are " + list(ids));
  }
  PHASOR_TRY(check_range("length", geometry.length, 1, kMaxExtent));
  PHASOR_TRY(check_range("width", geometry.width, 1, kMaxExtent));
  PHASOR_TRY(check_range("heads", geometry.heads, 1, kMaxExtent));
  PHASOR_TRY(check_range("axes", geometry.axes, 1, 3));
  Values values;
  PHASOR_TRY(resolve(*type, config, values));
  return type->create(values, geometry, out);
}

}  // namespace phasor
