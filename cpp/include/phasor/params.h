#pragma once
// Encoding parameters: their declarations, the values passed by the caller, and the validated
// values.

#include <algorithm>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <variant>
#include <vector>

#include "phasor/ordered_map.h"
#include "phasor/tensor.h"

namespace phasor {

enum class ParamKind {
  real,
  integer,
  choice,
  boolean,
  tensor,  ///< an array, usually learned; if not provided, drawn from `seed` or computed
};
const char* to_string(ParamKind kind);

/// Comma-separated names in a string literal: "interleaved, half_split". Needs no initialization at
/// run time, unlike a list of strings.
class ChoiceList {
 public:
  constexpr ChoiceList() = default;
  constexpr ChoiceList(const char* literal) : text_(literal) {}

  constexpr bool empty() const { return *text_ == '\0'; }
  constexpr int count() const {
    const std::string_view names = text();
    return names.empty() ? 0 : 1 + static_cast<int>(std::count(names.begin(), names.end(), ','));
  }
  constexpr std::string_view text() const { return text_; }
  std::vector<std::string_view> list() const;
  /// The index of the name, or -1.
  int find(std::string_view name) const;

 private:
  const char* text_ = "";
};

/// Splits comma-separated names. The returned views point into `text`.
std::vector<std::string_view> split_choices(std::string_view text);

/// A condition on another parameter: `param` has one of these values ("true" or "false" for a
/// boolean).
struct AppliesWhen {
  std::string_view param{};
  ChoiceList values{};
};

/// Declares one encoding parameter. Validation, documentation, and the website's controls and links
/// are derived from it.
struct ParamInfo {
  std::string_view name{};
  ParamKind kind = ParamKind::real;
  /// Default value; index into `choices` for a choice, 0 or 1 for a boolean
  double default_value = 0;
  double min = 0;              ///< smallest allowed value
  double max = 0;              ///< largest allowed value
  ChoiceList choices{};        ///< allowed names of a choice
  std::string_view unit{};     ///< unit of a number, or empty
  bool logarithmic = false;    ///< sliders use a logarithmic scale
  std::string_view summary{};  ///< one-line description
  std::string_view shape{};    ///< axes of a tensor, such as "heads x buckets"; otherwise empty
  /// The condition under which this parameter has an effect; if it is not met, the parameter may be
  /// rejected. Empty: always
  AppliesWhen applies_when{};

  using Text = const char*;
  static constexpr ParamInfo real(Text name, double default_value, double min, double max,
                                  Text unit, Text summary) {
    return {.name = name,
            .default_value = default_value,
            .min = min,
            .max = max,
            .unit = unit,
            .summary = summary};
  }
  static constexpr ParamInfo log_real(Text name, double default_value, double min, double max,
                                      Text unit, Text summary) {
    ParamInfo info = real(name, default_value, min, max, unit, summary);
    info.logarithmic = true;
    return info;
  }
  static constexpr ParamInfo integer(Text name, int default_value, int min, int max, Text unit,
                                     Text summary) {
    ParamInfo info = real(name, default_value, min, max, unit, summary);
    info.kind = ParamKind::integer;
    return info;
  }
  /// The first choice is the default.
  static constexpr ParamInfo choice(Text name, ChoiceList choices, Text summary) {
    return {.name = name,
            .kind = ParamKind::choice,
            .max = choices.count() - 1.0,
            .choices = choices,
            .summary = summary};
  }
  static constexpr ParamInfo boolean(Text name, bool default_value, Text summary) {
    return {.name = name,
            .kind = ParamKind::boolean,
            .default_value = default_value ? 1.0 : 0.0,
            .max = 1,
            .summary = summary};
  }
  static constexpr ParamInfo tensor(Text name, Text shape, Text summary) {
    return {.name = name, .kind = ParamKind::tensor, .summary = summary, .shape = shape};
  }
  /// Returns a copy of this parameter that applies only if the parameter `choice` has one of these
  /// values.
  constexpr ParamInfo only_with(Text choice, ChoiceList values) const {
    ParamInfo info = *this;
    info.applies_when = {choice, values};
    return info;
  }
};

/// A parameter as a caller provides it: a number, a boolean, a string, or an array.
struct ParamValue : std::variant<double, bool, std::string, Tensor> {
  using std::variant<double, bool, std::string, Tensor>::variant;
  /// Accepts {"base", 500000}: a plain variant would reject integers, whose conversions to bool and
  /// double both narrow.
  template <class Int,
            class = std::enable_if_t<std::is_integral_v<Int> && !std::is_same_v<Int, bool> &&
                                     !std::is_same_v<Int, char>>>
  ParamValue(Int number)
      : std::variant<double, bool, std::string, Tensor>(static_cast<double>(number)) {}
};
using Params = OrderedMap<ParamValue>;

/// Parameters after validation: every declared name has a value within its range.
class ResolvedParams {
 public:
  /// Sets every parameter to its default.
  explicit ResolvedParams(std::span<const ParamInfo> param_infos);

  double real(const char* name) const { return slots_[slot(name)].number; }
  int integer(const char* name) const { return static_cast<int>(real(name)); }
  bool boolean(const char* name) const { return real(name) != 0; }
  /// Returns the value of a choice as an enum. Its enumerators must have the order of
  /// ParamInfo::choices.
  template <class Enum>
  Enum choice(const char* name) const {
    return static_cast<Enum>(integer(name));
  }
  /// Returns the caller's array, which must outlive this object, or nullptr if the caller set none.
  const Tensor* tensor(const char* name) const { return slots_[slot(name)].tensor; }

  /// True if the caller set the parameter.
  bool is_set(const char* name) const { return slots_[slot(name)].is_set; }

  void set(const ParamInfo& info, double number) {
    slots_[at(info)] = {.number = number, .is_set = true};
  }
  void set(const ParamInfo& info, const Tensor* tensor) {
    slots_[at(info)] = {.tensor = tensor, .is_set = true};
  }

 private:
  struct Slot {
    double number = 0;
    const Tensor* tensor = nullptr;
    bool is_set = false;
  };
  std::size_t slot(std::string_view name) const;
  std::size_t at(const ParamInfo& info) const {
    return static_cast<std::size_t>(&info - param_infos_.data());
  }

  std::span<const ParamInfo> param_infos_;
  std::vector<Slot> slots_;  // one per parameter
};

}  // namespace phasor
