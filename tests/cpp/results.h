#pragma once
// Helpers for Result.

#include <gtest/gtest.h>

#include <utility>

#include "phasor/result.h"

namespace phasor::test {

/// The value of a call that must not fail. If it does, the test fails with its message and
/// continues with an empty value.
template <class T>
T value_of(Result<T> result) {
  EXPECT_TRUE(result.ok()) << result.status().message();
  return result.ok() ? *std::move(result) : T();
}

}  // namespace phasor::test

#define ASSERT_OK_AND_ASSIGN_FROM(result, variable, ...) \
  auto result = (__VA_ARGS__);                           \
  ASSERT_TRUE(result.ok()) << result.status().message(); \
  variable = *std::move(result)

/// Assigns the value of a call that must not fail to a new or existing variable; if it fails, the
/// test ends with its message. ASSERT_OK_AND_ASSIGN(const Tensor x, random_normal(1, {8, 64}));
#define ASSERT_OK_AND_ASSIGN(variable, ...) \
  ASSERT_OK_AND_ASSIGN_FROM(PHASOR_JOIN(result_, __LINE__), variable, __VA_ARGS__)
