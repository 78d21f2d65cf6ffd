#pragma once

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include "attention/validate/call.h"
#include "core/format_error.h"

namespace phasor {

// Copies one batch item's result into `batched_tensor`, which is allocated at the first item.
inline Status store_item(const char* name, const char* what, const Tensor& item_tensor,
                         const CallSizes& sizes, int item, Tensor& batched_tensor) {
  if (item_tensor.empty()) return {};
  if (item == 0) {
    std::vector<int> shape = prepend_dim(sizes.batch_size, item_tensor.shape);
    PHASOR_TRY(check_size(name, what, shape));
    batched_tensor = Tensor(std::move(shape));
  }
  std::copy(
      item_tensor.data.begin(), item_tensor.data.end(),
      batched_tensor.data.begin() + static_cast<std::ptrdiff_t>(item_tensor.data.size()) * item);
  return {};
}

}  // namespace phasor
