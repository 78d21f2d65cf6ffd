#pragma once
// Copies the results of batch items into batched tensors.

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include "attention/validate/call.h"
#include "core/format_error.h"

namespace phasor {

// Copies an item's result into `batched`, which is allocated with the first item.
inline Status put_item(const char* name, const char* what, const Tensor& part,
                       const CallSizes& sizes, int item, Tensor& batched) {
  if (part.empty()) return {};
  if (item == 0) {
    std::vector<int> shape = prepend_dim(sizes.batch, part.shape);
    PHASOR_TRY(check_size(name, what, shape));
    batched = Tensor(std::move(shape));
  }
  std::copy(part.data.begin(), part.data.end(),
            batched.data.begin() + static_cast<std::ptrdiff_t>(part.data.size()) * item);
  return {};
}

}  // namespace phasor
