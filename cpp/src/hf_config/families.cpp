#include <algorithm>

#include "hf_config/family.h"

namespace phasor {

// One line per file of cpp/src/hf_config/families, written by CMake.
#define PHASOR_USE(id)           \
  namespace families::id {       \
  std::span<const Family> all(); \
  }
#include "families.inc"
#undef PHASOR_USE

const std::vector<const Family*>& all_families() {
  static const std::vector<const Family*> kFamilies = [] {
    std::vector<const Family*> all;
    for (const std::span<const Family> file : {
#define PHASOR_USE(id) families::id::all(),
#include "families.inc"
#undef PHASOR_USE
         }) {
      for (const Family& family : file) all.push_back(&family);
    }
    return all;
  }();
  return kFamilies;
}

const Family* find_family(std::string_view model_type) {
  if (model_type.empty()) return nullptr;
  const std::vector<const Family*>& all = all_families();
  const auto match = std::find_if(all.begin(), all.end(), [&](const Family* family) {
    return family->names.find(model_type) >= 0;
  });
  return match == all.end() ? nullptr : *match;
}

bool is_satisfied(const KeyCondition& condition, ConfigMap& model) {
  if (condition.key == nullptr) return true;
  if (!model.has(condition.key)) return condition.default_value;
  return condition.expected != nullptr
             ? model.string_or_none(condition.key) == condition.expected
             : model.boolean(condition.key, condition.default_value) != condition.is_negated;
}

}  // namespace phasor
