#include "phasor/params.h"

#include <algorithm>
#include <cstdlib>

namespace phasor {

const char* to_string(ParamKind kind) {
  switch (kind) {
    case ParamKind::real: return "real";
    case ParamKind::integer: return "integer";
    case ParamKind::choice: return "choice";
    case ParamKind::boolean: return "boolean";
    case ParamKind::tensor: return "tensor";
  }
  return "unknown";
}

std::vector<std::string_view> split_choices(std::string_view text) {
  std::vector<std::string_view> out;
  while (!text.empty()) {
    const std::size_t comma = std::min(text.find(", "), text.size());
    out.push_back(text.substr(0, comma));
    text.remove_prefix(std::min(comma + 2, text.size()));
  }
  return out;
}

std::vector<std::string_view> ChoiceList::list() const { return split_choices(text_); }

int ChoiceList::find(std::string_view name) const {
  int index = 0;
  for (const std::string_view choice : list()) {
    if (choice == name) return index;
    ++index;
  }
  return -1;
}

ResolvedParams::ResolvedParams(std::span<const ParamInfo> specs)
    : param_infos_(specs), slots_(specs.size()) {
  for (const ParamInfo& param : specs) slots_[at(param)].number = param.default_value;
}

std::size_t ResolvedParams::slot(std::string_view name) const {
  const auto param =
      std::find_if(param_infos_.begin(), param_infos_.end(),
                   [&](const ParamInfo& candidate) { return candidate.name == name; });
  if (param == param_infos_.end()) std::abort();  // bug: the encoding reads an undeclared parameter
  return static_cast<std::size_t>(param - param_infos_.begin());
}

}  // namespace phasor
