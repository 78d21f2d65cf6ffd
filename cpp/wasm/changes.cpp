#include "changes.h"

#include <charconv>
#include <cmath>

#include "core/format_error.h"

namespace phasor_js {

namespace {

using phasor::ParamValue;
using phasor::PositionChange;

// Choices in the order of PositionChange::Kind.
constexpr phasor::ChoiceList kKinds =
    "none, shift, order, params, layout, clip, still, drop, window, zero_ablation, mean_ablation, "
    "skip";

// Reads one field of a change. Errors refer to the field by `name`.
class FieldReader {
 public:
  FieldReader(std::string name, const ParamValue& value) : name_(std::move(name)), value_(value) {}

  Status read_kind(PositionChange::Kind& out) const {
    const auto* text = std::get_if<std::string>(&value_);
    const int index = text != nullptr ? kKinds.find(*text) : -1;
    if (index < 0) return phasor::invalid("{}: expected one of {}", name_, kKinds);
    out = static_cast<PositionChange::Kind>(index);
    return {};
  }

  Status read_number(double& out) const {
    const auto* number = std::get_if<double>(&value_);
    if (number == nullptr) return phasor::invalid("{}: is not a number", name_);
    out = *number;
    return {};
  }

  Status read_integer(int& out) const {
    double value = 0;
    PHASOR_TRY(read_number(value));
    return to_integer(value, out);
  }

  Status read_integers(std::vector<int>& out) const {
    const auto* list = std::get_if<Tensor>(&value_);
    if (list == nullptr || list->rank() != 1)
      return phasor::invalid("{}: is not a list of numbers", name_);
    out.resize(list->data.size());
    for (std::size_t i = 0; i < out.size(); ++i)
      PHASOR_TRY(to_integer(static_cast<double>(list->data[i]), out[i]));
    return {};
  }

 private:
  Status to_integer(double value, int& out) const {
    if (value != std::floor(value) || std::fabs(value) > phasor::kMaxExtent)
      return phasor::invalid("{}: {} is not a whole number", name_, value);
    out = static_cast<int>(value);
    return {};
  }

  std::string name_;
  const ParamValue& value_;
};

Status read_field(std::string_view field, const std::string& name, const ParamValue& value,
                  PositionChange& change) {
  const FieldReader reader(name, value);
  constexpr std::string_view kParamsPrefix = "params.";
  if (field == "kind") return reader.read_kind(change.kind);
  if (field == "layers") return reader.read_integers(change.layers);
  if (field == "heads") return reader.read_integers(change.heads);
  if (field == "shift") return reader.read_number(change.shift);
  if (field == "order") return reader.read_integers(change.order);
  if (field == "clip") return reader.read_integer(change.clip);
  if (field == "pairsBegin") return reader.read_integer(change.pairs_begin);
  if (field == "pairsEnd") return reader.read_integer(change.pairs_end);
  if (field == "window") return reader.read_integer(change.window.emplace());
  if (field.starts_with(kParamsPrefix)) {
    change.params.add(std::string(field.substr(kParamsPrefix.size())), value);
    return {};
  }
  return phasor::unknown(
      "{} is not a field of a change; expected kind, layers, heads, shift, order, params, clip, "
      "pairsBegin, pairsEnd, window",
      phasor::Subject{name});
}

Status read_changes(const std::string& json, std::vector<PositionChange>& out) {
  PHASOR_TRY_ASSIGN(const phasor::Params entries, phasor::config_from_json(json));
  constexpr std::string_view kListPrefix = "changes.";
  for (const auto& [key, value] : entries) {
    std::string_view suffix = key;
    if (!suffix.starts_with(kListPrefix))
      return phasor::invalid("changes: is not a list of changes");
    suffix.remove_prefix(kListPrefix.size());
    std::size_t index = 0;
    const auto [end, error] = std::from_chars(suffix.data(), suffix.data() + suffix.size(), index);
    suffix.remove_prefix(static_cast<std::size_t>(end - suffix.data()));
    if (error != std::errc() || !suffix.starts_with('.'))
      return phasor::invalid("changes: is not a list of changes");
    suffix.remove_prefix(1);
    if (index >= out.size()) out.resize(index + 1);
    const std::string name =
        phasor::format_error("changes[{}].{}", static_cast<double>(index), suffix);
    PHASOR_TRY(read_field(suffix, name, value, out[index]));
  }
  return {};
}

}  // namespace

std::vector<PositionChange> read_changes(Request& request) {
  std::vector<PositionChange> out;
  if (!request.has("changes")) return out;
  const std::string json = request.string("changes");
  if (const Status status = read_changes(json, out); !status.ok()) request.reject(status);
  return out;
}

}  // namespace phasor_js
