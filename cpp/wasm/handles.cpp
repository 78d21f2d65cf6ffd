#include "handles.h"

#include <algorithm>

namespace phasor_js {

void Handles::add(Handle handle) { all_.push_front(std::move(handle)); }

const Handle* Handles::find(double number) const {
  const auto found = std::find_if(all_.begin(), all_.end(),
                                  [&](const Handle& handle) { return handle.number == number; });
  return found == all_.end() ? nullptr : &*found;
}

void Handles::release(double number) {
  for (auto before = all_.before_begin(), at = all_.begin(); at != all_.end(); before = at++) {
    if (at->number != number) continue;
    all_.erase_after(before);
    return;
  }
}

Handles& handles() {
  static Handles all;
  return all;
}

}  // namespace phasor_js
