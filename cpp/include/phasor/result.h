#pragma once
// The return value of a function that may fail: a value or a Status.

#include <cstdlib>
#include <utility>

#include "phasor/status.h"

namespace phasor {

/// A value of type T, or the Status of a failure. Check `ok()` before value(), or use
/// PHASOR_TRY_ASSIGN: calling value() on a failure ends the program. T must be
/// default-constructible: a failure also contains a T, so that moving a Result needs no branch.
template <class T>
class [[nodiscard]] Result {
 public:
  Result(T value) : value_(std::move(value)) {}
  /// Constructs a failure. Ends the program if `failure` is ok, because there is no value.
  Result(const Status& failure) : status_(failure) {
    if (status_.ok()) std::abort();
  }
  /// Calls body(T&), which writes the value in place and returns a Status. A function with many
  /// checks then compiles to as little code as one that returns a Status.
  template <class Body>
  static Result from(Body body) {
    return Result(body, {});
  }

  bool ok() const { return status_.ok(); }
  const Status& status() const& { return status_; }
  Status status() && { return std::move(status_); }

  const T& value() const& {
    if (!status_.ok()) std::abort();
    return value_;
  }
  T& value() & { return const_cast<T&>(std::as_const(*this).value()); }
  /// Moves the value out. Returns T and not T&&, so that no reference into a destroyed Result
  /// remains.
  T value() && { return std::move(value()); }

  const T& operator*() const& { return value(); }
  T& operator*() & { return value(); }
  T operator*() && { return std::move(*this).value(); }
  const T* operator->() const { return &value(); }
  T* operator->() { return &value(); }

  /// Moves the value into a variable. On failure, leaves the variable unchanged.
  Status move_to(T& variable) && {
    if (status_.ok()) variable = std::move(value_);
    return std::move(status_);
  }

 private:
  struct FromBody {};
  template <class Body>
  Result(Body& body, FromBody) : status_(body(value_)) {}

  T value_{};  // declared before status_, whose initialization writes it
  Status status_;
};

}  // namespace phasor

#define PHASOR_JOIN_EXPANDED(a, b) a##b
#define PHASOR_JOIN(a, b) PHASOR_JOIN_EXPANDED(a, b)
#define PHASOR_TRY_ASSIGN_FROM(result, declaration, expression) \
  auto result = (expression);                                   \
  PHASOR_TRY(std::move(result).status());                       \
  declaration = std::move(result).value()

/// Returns from the calling function when `expression`, a Result, is a failure; otherwise assigns
/// its value to a new or existing variable: PHASOR_TRY_ASSIGN(const Tensor x, random_normal(1, {8,
/// 64}));
#define PHASOR_TRY_ASSIGN(declaration, expression) \
  PHASOR_TRY_ASSIGN_FROM(PHASOR_JOIN(result_, __LINE__), declaration, expression)
