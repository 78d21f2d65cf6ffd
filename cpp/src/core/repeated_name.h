#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "phasor/ordered_map.h"

namespace phasor {

/// Returns a name that occurs more than once, or nullopt. Sorts the names, because files may have
/// thousands of them.
std::optional<std::string_view> find_repeated_name(std::vector<std::string_view> names);

/// Returns a name that occurs more than once in a map, or nullopt. Neither the initializer list nor
/// add() of a map checks for repeated names.
template <class T>
std::optional<std::string_view> find_repeated_name(const OrderedMap<T>& map) {
  std::vector<std::string_view> names;
  for (const auto& entry : map) names.push_back(entry.first);
  return find_repeated_name(std::move(names));
}

}  // namespace phasor
