#include "handles.h"

#include <algorithm>

namespace phasor_js {

void Handles::add(Handle handle) { all_.push_front(std::move(handle)); }

const Handle* Handles::find(double number) const {
  const auto found = std::find_if(all_.begin(), all_.end(), [&](const Handle& handle) { return handle.number == number; });
  return found == all_.end() ? nullptr : &*found;
}

void Handles::release(double number) {
  all_.remove_if([&](const Handle& handle) { return handle.number == number; });
}

Handles& handles() {
  static Handles all;
  return all;
}

}  // namespace phasor_js
