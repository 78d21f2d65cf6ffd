#pragma once
// All parameters of a model in one array, and all gradients in another. The optimizer makes one
// pass over both.

#include <string>
#include <string_view>
#include <vector>

#include "phasor/tensor.h"

namespace phasor {

class Arena {
 public:
  struct Entry {
    std::string name;
    std::vector<int> shape;
    std::size_t offset = 0, size = 0;
    double lr_factor = 1;
    bool has_weight_decay() const { return shape.size() > 1; }
  };

  /// Adds an entry and returns its index. Must be called before allocate().
  int add(std::string name, std::vector<int> shape, double lr_factor = 1);
  void allocate();

  const std::vector<Entry>& entries() const { return entries_; }
  const Entry& entry(int index) const { return entries_[static_cast<std::size_t>(index)]; }
  std::size_t size() const { return size_; }

  float* get_values(int index) { return values.data() + entry(index).offset; }
  float* get_grads(int index) { return grads.data() + entry(index).offset; }
  /// The values or gradients of an entry with two axes, as a matrix.
  MatrixRef value_matrix(int index) { return as_matrix(index, get_values(index)); }
  MatrixRef grad_matrix(int index) { return as_matrix(index, get_grads(index)); }
  Tensor tensor(int index) const;

  std::vector<float> values, grads;

 private:
  MatrixRef as_matrix(int index, float* data) const {
    const Entry& e = entry(index);
    return {data, e.shape[0], e.shape[1], e.shape[1]};
  }

  std::vector<Entry> entries_;
  std::size_t size_ = 0;
};

}  // namespace phasor
