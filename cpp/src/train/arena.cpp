#include "train/arena.h"

#include <utility>

namespace phasor {

int Arena::add(std::string name, std::vector<int> shape, double lr_factor) {
  const std::size_t numbers = numel(shape);
  entries_.push_back({std::move(name), std::move(shape), size_, numbers, lr_factor});
  size_ += numbers;
  return static_cast<int>(entries_.size()) - 1;
}

void Arena::allocate() {
  values.assign(size_, 0.0f);
  grads.assign(size_, 0.0f);
}

Tensor Arena::tensor(int index) const {
  const Entry& e = entry(index);
  const float* from = values.data() + e.offset;
  return {e.shape, std::vector<float>(from, from + e.size)};
}

}  // namespace phasor
