#include "handles.h"

#include <algorithm>

namespace phasor_js {

void Handles::add(Handle handle) { handles_.push_front(std::move(handle)); }

const Handle* Handles::find(double number) const {
  const auto match = std::find_if(handles_.begin(), handles_.end(),
                                  [&](const Handle& handle) { return handle.number == number; });
  return match == handles_.end() ? nullptr : &*match;
}

void Handles::release(double number) {
  for (auto previous = handles_.before_begin(), current = handles_.begin();
       current != handles_.end(); previous = current++) {
    if (current->number != number) continue;
    handles_.erase_after(previous);
    return;
  }
}

Handles& get_handles() {
  static Handles instance;
  return instance;
}

}  // namespace phasor_js
