#pragma once
// Calls of every public function that may allocate much, with every encoding under every choice it
// has.

#include <functional>
#include <string>
#include <vector>

#include "phasor/status.h"

namespace phasor::test {

/// A call whose arguments are made before it, so that memory is watched in the call alone.
struct EveryCall {
  std::string name;
  /// Makes the arguments, and answers the call to be made with them, once.
  std::function<std::function<Status()>()> prepare;
};

/// Texts of so many tokens.
std::vector<EveryCall> every_call(int tokens);

}  // namespace phasor::test
