#include "core/repeated_name.h"

#include <algorithm>

namespace phasor {

std::optional<std::string_view> find_repeated_name(std::vector<std::string_view> names) {
  std::sort(names.begin(), names.end());
  const auto first = std::adjacent_find(names.begin(), names.end());
  return first == names.end() ? std::nullopt : std::optional(*first);
}

}  // namespace phasor
