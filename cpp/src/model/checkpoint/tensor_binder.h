#pragma once
// Finds checkpoint tensors by the names of an architecture, and creates a binding for each.

#include <string>
#include <string_view>
#include <vector>

#include "model/checkpoint/binding.h"

namespace phasor::model {

class TensorBinder {
 public:
  /// The binder keeps references to its arguments, so they must outlive it.
  TensorBinder(const std::vector<CheckpointTensor>& tensors, const Architecture& architecture,
               std::vector<Binding>& bindings);

  Status check_unique_names() const;
  /// Until leave_layer() is called, names are relative to this layer.
  void enter_layer(int layer_index);
  void leave_layer() { layer_prefix_.clear(); }

  /// True if the checkpoint has the weight of this linear layer or norm.
  bool has(const char* name) const {
    return name != nullptr && (find(name, ".weight") != nullptr || find(name, ".gamma") != nullptr);
  }

  // These functions do nothing if `name` is nullptr. A missing weight or a wrong shape is an error;
  // a missing bias is not.
  Status bind_linear(const char* name, int out_features, int in_features, Linear& to);
  Status bind_matrix(const char* name, int out_features, int in_features, kernels::StoredMatrix& to,
                     bool is_transposed = false);
  Status bind_norm(const char* name, int dim, NormWeights& to);
  /// Binds an array by the full name of its tensor. `addend` is added to each value.
  Status bind_numbers(const std::string& name, const std::vector<int>& shape, float addend,
                      std::vector<float>& to);
  /// Returns the model prefix + layer prefix + `name` + `suffix`. A `name` that starts with "^"
  /// gets no prefixes.
  std::string full_name(const char* name, const char* suffix) const;

  /// Rejects a tensor that is neither bound nor ignored.
  Status check_unbound(bool is_tied) const;
  double bytes() const { return bytes_; }
  double parameter_count() const { return parameters_; }

 private:
  const CheckpointTensor* find(const std::string& name) const;
  const CheckpointTensor* find(const char* name, const char* suffix) const {
    return find(full_name(name, suffix));
  }
  /// Finds a tensor and stores its location and layout in `out`. `shape` is its shape in
  /// transformers.
  Status init_binding(const std::string& name, const std::vector<int>& shape, Binding& out) const;
  bool is_ignored(std::string_view name) const;

  const Architecture& architecture_;
  std::vector<Binding>& bindings_;
  std::vector<const CheckpointTensor*> tensors_;  // sorted by name
  std::string_view prefix_;
  std::string layer_prefix_;
  double bytes_ = 0, parameters_ = 0;
};

}  // namespace phasor::model
