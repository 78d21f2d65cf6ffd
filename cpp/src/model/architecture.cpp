#include "model/architecture.h"

#include <vector>

namespace phasor {

// The build lists the files of cpp/src/model/architectures in architectures.inc.
#define PHASOR_USE(id)                                \
  namespace architectures::id {                       \
  std::span<const Architecture> list_architectures(); \
  }
#include "architectures.inc"
#undef PHASOR_USE

std::span<const Architecture* const> get_architectures() {
  static const std::vector<const Architecture*> kArchitectures = [] {
    std::vector<const Architecture*> list;
    for (const std::span<const Architecture> file : {
#define PHASOR_USE(id) architectures::id::list_architectures(),
#include "architectures.inc"
#undef PHASOR_USE
         }) {
      for (const Architecture& architecture : file) list.push_back(&architecture);
    }
    return list;
  }();
  return kArchitectures;
}

const Architecture* find_architecture(std::string_view model_type) {
  for (const Architecture* architecture : get_architectures()) {
    if (architecture->model_types.find(model_type) >= 0) return architecture;
  }
  return nullptr;
}

}  // namespace phasor
