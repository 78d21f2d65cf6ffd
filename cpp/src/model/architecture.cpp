#include "model/architecture.h"

#include <vector>

namespace phasor {

// One line per file of cpp/src/model/architectures, written by CMake.
#define PHASOR_USE(id)                 \
  namespace architectures::id {        \
  std::span<const Architecture> all(); \
  }
#include "architectures.inc"
#undef PHASOR_USE

std::span<const Architecture* const> all_architectures() {
  static const std::vector<const Architecture*> kAll = [] {
    std::vector<const Architecture*> all;
    for (const std::span<const Architecture> file : {
#define PHASOR_USE(id) architectures::id::all(),
#include "architectures.inc"
#undef PHASOR_USE
         }) {
      for (const Architecture& row : file) all.push_back(&row);
    }
    return all;
  }();
  return kAll;
}

const Architecture* find_architecture(std::string_view model_type) {
  for (const Architecture* row : all_architectures()) {
    if (row->names.find(model_type) >= 0) return row;
  }
  return nullptr;
}

}  // namespace phasor
