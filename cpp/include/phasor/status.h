#pragma once
// The only way the library reports failure: it never throws and never prints.

#include <string>
#include <utility>

namespace phasor {

enum class Code {
  ok,
  invalid_argument,    ///< an argument is outside what is allowed; the message names it, its value and the range
  unknown_name,        ///< no encoding, parameter or choice of that name
  resource_exhausted,  ///< the answer would not fit in memory
};

/// The word for a code as users of every language see it ("invalid_argument").
constexpr const char* to_string(Code code) {
  switch (code) {
    case Code::ok: return "ok";
    case Code::invalid_argument: return "invalid_argument";
    case Code::unknown_name: return "unknown_name";
    case Code::resource_exhausted: return "resource_exhausted";
  }
  return "unknown";
}

/// Success, or a code with one sentence for the person who made the call.
struct [[nodiscard]] Status {
  Code code = Code::ok;
  std::string message;

  bool ok() const { return code == Code::ok; }

  // Out of line, because every call that may fail has them.
  Status() noexcept;
  Status(Code failure, std::string sentence);
  Status(const Status&);
  Status(Status&&) noexcept;
  Status& operator=(const Status&);
  Status& operator=(Status&&) noexcept;
  ~Status();

  static Status invalid(std::string message) { return {Code::invalid_argument, std::move(message)}; }
  static Status unknown(std::string message) { return {Code::unknown_name, std::move(message)}; }
  static Status exhausted(std::string message) { return {Code::resource_exhausted, std::move(message)}; }
};

}  // namespace phasor

/// Returns from the calling function when `expression` is a Status that is not ok.
#define PHASOR_TRY(expression)                                                  \
  do {                                                                          \
    if (::phasor::Status status_ = (expression); !status_.ok()) return status_; \
  } while (false)
