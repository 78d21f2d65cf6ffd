#pragma once
// The library reports failures only through Status: it throws no exceptions and prints nothing. It
// checks that large arrays fit in memory before it allocates them (resource_exhausted). If less
// than 4 MiB is left, the standard library ends the program or throws std::bad_alloc
// (docs/reliability.md).

#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace phasor {

enum class StatusCode {
  ok,
  /// An argument's value is not allowed; the message names the argument, its value and the allowed
  /// range
  invalid_argument,
  unknown_name,        ///< no encoding, parameter or choice with that name
  resource_exhausted,  ///< the result would not fit in memory
};

/// Returns the name of a code, such as "invalid_argument". All language bindings use the same
/// names.
constexpr const char* to_string(StatusCode code) {
  switch (code) {
    case StatusCode::ok: return "ok";
    case StatusCode::invalid_argument: return "invalid_argument";
    case StatusCode::unknown_name: return "unknown_name";
    case StatusCode::resource_exhausted: return "resource_exhausted";
  }
  return "unknown";
}

/// A range with inclusive bounds.
struct Range {
  double min;
  double max;
};

/// An error message and the parts of it that programs can read. In "heads: 0 is outside 1 to 64",
/// the argument is "heads", the value is "0" and the range is 1 to 64.
struct ErrorDetails {
  struct TextRange {
    std::size_t begin = 0;
    std::size_t size = 0;
  };
  std::string text;
  TextRange argument{}, value{}, choices{};  ///< parts of `text`
  std::optional<double> number{};            ///< `value` as a number, at full precision
  std::optional<Range> range{};
};

/// Success, or an error code with a one-sentence message and the parts of the message as data:
///
///     const Status rejected =
///         create_encoding({.id = "rope", .params = {{"base", 0}}}, {.dim = 8}).status();
///     rejected.argument();    // "base"
///     rejected.number();  // 0
class [[nodiscard]] Status {
 public:
  Status() = default;
  Status(StatusCode code, std::string message)
      : Status(code, ErrorDetails{.text = std::move(message)}) {}
  Status(StatusCode code, ErrorDetails details);
  Status(const Status& other) : failure_(other.ok() ? nullptr : copy(*other.failure_)) {}
  // Always inlined, even when optimising for size: after a successful call, the compiler then
  // removes both the move and the destructor.
  [[gnu::always_inline]] Status(Status&& other) noexcept
      : failure_(std::exchange(other.failure_, nullptr)) {}
  Status& operator=(Status other) noexcept {
    std::swap(failure_, other.failure_);
    return *this;
  }
  [[gnu::always_inline]] ~Status() {
    if (!ok()) drop(failure_);
  }

  bool ok() const { return failure_ == nullptr; }
  StatusCode code() const { return ok() ? StatusCode::ok : failure_->code; }
  /// Empty on success.
  const std::string& message() const&;
  std::string message() && { return ok() ? std::string() : std::move(failure_->details.text); }

  /// The argument that the message starts with, such as "positions[3]"; empty if there is none.
  /// argument(), value() and choices() point into the message, which this object owns.
  std::string_view argument() const { return part(&ErrorDetails::argument); }
  /// The rejected value as written in the message, without quotation marks; empty if the message
  /// has none.
  std::string_view value() const { return part(&ErrorDetails::value); }
  /// The rejected value as a number.
  std::optional<double> number() const { return ok() ? std::nullopt : failure_->details.number; }
  /// The allowed range of a number.
  std::optional<Range> range() const { return ok() ? std::nullopt : failure_->details.range; }
  /// The allowed choices, comma-separated as split_choices expects: "interleaved, half_split";
  /// empty if the message does not list them.
  std::string_view choices() const { return part(&ErrorDetails::choices); }
  /// Replaces the first `size` characters of the argument with `name`.
  void rename_argument(std::size_t size, std::string_view name);

  static Status invalid(std::string message) {
    return {StatusCode::invalid_argument, std::move(message)};
  }
  static Status unknown(std::string message) {
    return {StatusCode::unknown_name, std::move(message)};
  }
  static Status exhausted(std::string message) {
    return {StatusCode::resource_exhausted, std::move(message)};
  }

 private:
  struct Failure {
    StatusCode code;
    ErrorDetails details;
  };
  using TextRangeMember = ErrorDetails::TextRange ErrorDetails::*;
  std::string_view part(TextRangeMember member) const;
  static Failure* copy(const Failure& failure);
  static void drop(Failure* failure) noexcept;

  Failure* failure_ = nullptr;  // owned; nullptr on success
};

}  // namespace phasor

/// Returns from the calling function if `expression` is a Status that is not ok. The macro's
/// variable has a unique name, so that it cannot hide a variable in `expression`.
#define PHASOR_TRY(expression)                                                      \
  do {                                                                              \
    if (::phasor::Status phasor_try_status = (expression); !phasor_try_status.ok()) \
      return phasor_try_status;                                                     \
  } while (false)
