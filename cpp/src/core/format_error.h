#pragma once
// Error messages: one sentence with the argument, its value and the allowed values. Messages are
// format strings with one {} per value, and one function formats them all, because concatenation
// would add code at every error. The Status also records the parts of a message, so that programs
// need not parse it: the argument is the text before the first ": ", the value follows the
// argument, and the allowed values are a Range or a ChoiceList.

#include <array>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "phasor/params.h"
#include "phasor/status.h"
#include "phasor/tensor.h"

namespace phasor {

/// A number for error messages: "7", "0.5", "1e+300", "NaN".
std::string to_message(double value);
/// Formats a shape as "8 x 4 x 16".
std::string to_message(const std::vector<int>& shape);
/// A value from a file or from the caller: "7", "true", "\"yarn\"", "a list of 3 numbers".
std::string to_message(const ParamValue& value);

/// An argument name, which messages print in the caller's spelling.
struct Argument {
  const char* name;
};
constexpr Argument argument(const char* name) { return {name}; }
std::string spell_argument(Argument argument);

/// Marks a name as the argument that the error is about, even if no ": " follows it.
struct Subject {
  std::string_view name;
};

/// A number that describes the problem but is not the value of the argument, such as the size in
/// "q: 3 MiB of working memory is not available".
template <class Value>
struct Detail {
  const Value& value;
};
template <class Value>
Detail<Value> detail(const Value& value) {
  return {value};
}

/// A format argument: a number, or a pointer to a value of another type.
struct FormatArg {
  enum class Kind {
    literal,
    argument,
    subject,
    text,
    string,
    shape,
    number,
    param,
    range,
    choices
  };

  constexpr FormatArg(double value) : kind(Kind::number), number(value) {}
  constexpr FormatArg(Kind value_kind, const void* value) : kind(value_kind), address(value) {}

  Kind kind;
  bool is_detail = false;
  union {
    const void* address;
    double number;
  };
};

template <class Value>
FormatArg to_format_arg(const Value& value) {
  using Kind = FormatArg::Kind;
  if constexpr (std::is_arithmetic_v<Value>) {
    return static_cast<double>(value);
  } else if constexpr (std::is_same_v<Value, Argument>) {
    return {Kind::argument, value.name};
  } else if constexpr (std::is_same_v<Value, Subject>) {
    return {Kind::subject, &value.name};
  } else if constexpr (std::is_same_v<Value, std::string_view>) {
    return {Kind::text, &value};
  } else if constexpr (std::is_same_v<Value, std::string>) {
    return {Kind::string, &value};
  } else if constexpr (std::is_same_v<Value, std::vector<int>>) {
    return {Kind::shape, &value};
  } else if constexpr (std::is_same_v<Value, ParamValue>) {
    return {Kind::param, &value};
  } else if constexpr (std::is_same_v<Value, Range>) {
    return {Kind::range, &value};
  } else if constexpr (std::is_same_v<Value, ChoiceList>) {
    return {Kind::choices, &value};
  } else {
    return {Kind::literal, static_cast<const char*>(value)};
  }
}
template <class Value>
FormatArg to_format_arg(const Detail<Value>& detail_arg) {
  FormatArg format_arg = to_format_arg(detail_arg.value);
  format_arg.is_detail = true;
  return format_arg;
}

// Not defined. The consteval constructor below calls it to cause a compile-time error.
void a_pattern_needs_one_placeholder_per_value();

/// A format string literal with exactly `count` placeholders {}.
template <std::size_t count>
struct Pattern {
  const char* text;

  consteval Pattern(const char* literal) : text(literal) {
    std::size_t placeholders = 0;
    for (const char* c = literal; *c != '\0'; ++c) placeholders += c[0] == '{' && c[1] == '}';
    if (placeholders != count) a_pattern_needs_one_placeholder_per_value();
  }
};

std::string format_message(const char* pattern, std::span<const FormatArg> args);
Status make_status(StatusCode code, const char* pattern, std::span<const FormatArg> args);

/// Creates a message, such as format_error("0 to {}", 31).
template <class... Values>
std::string format_error(Pattern<sizeof...(Values)> pattern, const Values&... values) {
  return format_message(pattern.text,
                        std::array<FormatArg, sizeof...(Values)>{to_format_arg(values)...});
}
/// Creates an error: make_error(code, "length: {} is outside {}", 0, Range{1, 65536}).
template <class... Values>
Status make_error(StatusCode code, Pattern<sizeof...(Values)> pattern, const Values&... values) {
  return make_status(code, pattern.text,
                     std::array<FormatArg, sizeof...(Values)>{to_format_arg(values)...});
}
template <class... Values>
Status invalid(Pattern<sizeof...(Values)> pattern, const Values&... values) {
  return make_error(StatusCode::invalid_argument, pattern, values...);
}
template <class... Values>
Status unknown(Pattern<sizeof...(Values)> pattern, const Values&... values) {
  return make_error(StatusCode::unknown_name, pattern, values...);
}
/// Replaces the argument name of an error with the caller's name: "positions[3]: ..." becomes
/// "keyPositions[3]: ...". Errors of other arguments are unchanged.
Status rename_argument(Status status, std::string_view argument, std::string_view new_name);

/// The spelling of argument names: kv_heads becomes kvHeads in JavaScript. Encoding parameters and
/// file keys are always in snake_case.
enum class Spelling { snake_case, camel_case };
/// Called once at startup by a language binding; C++ callers use snake_case.
void set_argument_spelling(Spelling spelling);

/// Rejects `value` outside [min, max]: "length: 0 is outside 1 to 65536".
Status check_range(const char* name, double value, double min, double max);
Status check_range(Argument argument, double value, double min, double max);
Status check_extent(const char* name, int extent);
Status check_extent(Argument argument, int extent);
/// Rejects NaN and infinity: "q[12]: NaN is not a finite number".
Status check_finite(const char* name, const std::vector<float>& data);
Status check_finite(Argument argument, const std::vector<float>& data);
/// Rejects a tensor that contains a number that is not finite, or whose shape does not match its
/// data: "q: has shape 64 x 64, but 3 values". Negative extents and overflowing products match no
/// data. Public functions check every tensor before they read its shape.
Status check_tensor(const char* name, const Tensor& t);
Status check_tensor(Argument argument, const Tensor& t);
/// Checks in constant time that the number of values matches the shape.
Status check_data(const char* name, const Tensor& t);
/// The error for a result that is not finite: "table: a dot product exceeds the float32 maximum,
/// 3.40282e+38". `name` is the argument that caused it (docs/reliability.md).
Status out_of_range(const char* name, std::string_view what);
bool is_finite(std::span<const float> data);
bool is_finite(double number);
/// Rejects a result that is not finite: check_result("table", out.data, "the table of {}", id). The
/// message is created only on failure.
template <class Numbers, class... Values>
Status check_result(const char* name, const Numbers& result, Pattern<sizeof...(Values)> what,
                    const Values&... values) {
  if (is_finite(result)) return {};
  return out_of_range(name, format_error(what, values...));
}
/// Rejects an array that is larger than kMaxResultBytes or than the free memory, before it is
/// allocated. `name` is the argument that determines the size: "outputs: weights of 1 x 40000 x
/// 40000 numbers would take 6104 MiB; at most 1024 MiB can be returned".
Status check_size(const char* name, const char* what, const std::vector<int>& shape);
Status check_size(const char* name, const char* what, const std::initializer_list<int>& shape);

/// Rejects work that needs more memory than is free: "q: 3 MiB of working memory is not available".
/// `name` is the argument that determines the size. `bytes` is the sum of all allocations of a
/// function, because a failed allocation would end the program.
Status check_memory(const char* name, double bytes);
/// Bytes of a float32 array. The result is a double, because a size_t could overflow.
double array_bytes(const std::vector<int>& shape);

/// Largest array that the library returns: 1 GiB, a quarter of a 32-bit address space.
inline constexpr double kMaxResultBytes = 1073741824.0;
inline constexpr int kMaxExtent = 1048576;

}  // namespace phasor
