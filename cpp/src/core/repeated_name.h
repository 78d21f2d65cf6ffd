#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "phasor/ordered_map.h"

namespace phasor {

/// A name that occurs more than once. Sorts the names, because files have thousands.
std::optional<std::string_view> repeated_name(std::vector<std::string_view> names);

/// The same for the names of a map, which initializer lists and add() may duplicate.
template <class T>
std::optional<std::string_view> repeated_name(const OrderedMap<T>& map) {
  std::vector<std::string_view> names;
  for (const auto& entry : map) names.push_back(entry.first);
  return repeated_name(std::move(names));
}

}  // namespace phasor
