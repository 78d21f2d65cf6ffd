#include <algorithm>

#include "hf_config/family.h"

namespace phasor {

// CMake writes families.inc, with one PHASOR_USE line per file of cpp/src/hf_config/families.
#define PHASOR_USE(id)                     \
  namespace families::id {                 \
  std::span<const Family> list_families(); \
  }
#include "families.inc"
#undef PHASOR_USE

const std::vector<const Family*>& all_families() {
  static const std::vector<const Family*> kFamilies = [] {
    std::vector<const Family*> families;
    for (const std::span<const Family> lineage : {
#define PHASOR_USE(id) families::id::list_families(),
#include "families.inc"
#undef PHASOR_USE
         }) {
      for (const Family& family : lineage) families.push_back(&family);
    }
    return families;
  }();
  return kFamilies;
}

const Family* find_family(std::string_view model_type) {
  if (model_type.empty()) return nullptr;
  const std::vector<const Family*>& families = all_families();
  const auto match = std::find_if(families.begin(), families.end(), [&](const Family* family) {
    return family->names.find(model_type) >= 0;
  });
  return match == families.end() ? nullptr : *match;
}

bool is_satisfied(const KeyCondition& condition, ConfigMap& model) {
  if (condition.key == nullptr) return true;
  if (!model.has(condition.key)) return condition.default_value;
  return condition.expected_value != nullptr
             ? model.string_or_none(condition.key) == condition.expected_value
             : model.boolean(condition.key, condition.default_value) != condition.is_negated;
}

}  // namespace phasor
