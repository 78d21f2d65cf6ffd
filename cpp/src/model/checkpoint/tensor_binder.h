#pragma once
// The tensors of a checkpoint by their names in an architecture; each that is found becomes a
// binding.

#include <string>
#include <string_view>
#include <vector>

#include "model/checkpoint/binding.h"

namespace phasor::model {

class TensorBinder {
 public:
  /// All three must outlive this.
  TensorBinder(const std::vector<CheckpointTensor>& tensors, const Architecture& architecture,
               std::vector<Binding>& bindings);

  /// Rejects a name that two files have.
  Status check_names() const;
  /// From here on names are those of a layer.
  void enter_layer(int number);
  void leave_layer() { layer_.clear(); }

  /// Whether the weight of a linear layer or a norm is there.
  bool has(const char* name) const {
    return name != nullptr && (find(name, ".weight") != nullptr || find(name, ".gamma") != nullptr);
  }

  // Allocates and binds; a name that is nullptr has no effect. Rejects a tensor that is missing or
  // has another shape.
  Status linear(const char* name, int out, int in, Linear& to);
  Status matrix(const char* name, int out, int in, kernels::StoredMatrix& to, bool in_out = false);
  Status norm(const char* name, int dim, NormWeights& to);
  /// By the name in the file. `added` is added to each number.
  Status numbers(const std::string& name, const std::vector<int>& shape, float added,
                 std::vector<float>& to);
  /// The name in the file.
  std::string full(const char* name, const char* end) const;

  /// Rejects a tensor that is neither bound nor ignored.
  Status check_unbound(bool is_tied) const;
  /// Bytes and numbers of what was allocated.
  double bytes() const { return bytes_; }
  double parameters() const { return parameters_; }

 private:
  const CheckpointTensor* find(const std::string& name) const;
  const CheckpointTensor* find(const char* name, const char* end) const {
    return find(full(name, end));
  }
  /// `shape` is that of transformers.
  Status open(const std::string& name, const std::vector<int>& shape, Binding& out) const;
  bool is_ignored(std::string_view name) const;

  const Architecture& architecture_;
  std::vector<Binding>& bindings_;
  std::vector<const CheckpointTensor*> tensors_;  // by name
  std::string_view prefix_;
  std::string layer_;
  double bytes_ = 0, parameters_ = 0;
};

}  // namespace phasor::model
