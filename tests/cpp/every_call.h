#pragma once
// Calls of every public function that may allocate much, with every encoding under every choice it
// has.

#include <functional>
#include <memory>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "phasor/status.h"

namespace phasor::test {

/// A call whose arguments are made before it, so that memory is watched in the call alone.
struct EveryCall {
  std::string name;
  /// Makes the arguments, and answers the call to be made with them, once.
  std::function<std::function<Status()>()> prepare;
  /// It is answered where there is memory; of others an encoding may refuse the sizes.
  bool is_answered = false;
};

/// A call with these arguments, which it may move from.
template <class... Arguments, class F>
EveryCall call(std::string name, F run, Arguments... arguments) {
  return {std::move(name), [=] {
            const auto given = std::make_shared<std::tuple<Arguments...>>(arguments...);
            return [=]() -> Status { return std::apply(run, std::move(*given)); };
          }};
}

/// Texts of so many tokens.
std::vector<EveryCall> every_call(int tokens);
/// Attention, its gradients, caches and layers with its options, and with tensors of tokens.
std::vector<EveryCall> calls_with_options(int tokens);

}  // namespace phasor::test
