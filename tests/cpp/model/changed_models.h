#pragma once
// Golden models, edited checkpoints, and the hidden states of one text with changes.

#include <algorithm>

#include "checkpoint.h"
#include "phasor/safetensors.h"

namespace phasor::test::changed_models {

inline const std::vector<int> kIds = {5, 6, 7, 8, 9, 6, 7, 11, 3, 4, 40, 12};
inline const std::vector<int> kPermutation = {7, 2, 11, 0, 5, 9, 1, 10, 3, 8, 4, 6};

inline std::unique_ptr<Model> load_model(const char* name) {
  return value_of(load(read_checkpoint(name)));
}

// Loads the checkpoint after `edit` has changed its tensors.
template <class F>
std::unique_ptr<Model> load_edited_model(const char* name, const F& edit) {
  Checkpoint checkpoint = read_checkpoint(name);
  SafetensorsFile file = value_of(read_safetensors(checkpoint.files[0]));
  for (auto& [tensor_name, tensor] : file.tensors) edit(tensor_name, tensor);
  checkpoint.files = {value_of(write_safetensors(file, DType::f32))};
  return value_of(load(checkpoint));
}

inline Tensor hidden_states(const Model& model, std::vector<PositionChange> changes = {},
                            const std::vector<int>& ids = kIds) {
  return value_of(model.run(ids, {.output_logits = false, .changes = std::move(changes)}))
      .last_hidden_state;
}

inline double max_error(const Tensor& a, const Tensor& b) {
  EXPECT_EQ(a.shape, b.shape);
  double largest = 0;
  for (std::size_t i = 0; i < std::min(a.data.size(), b.data.size()); ++i)
    largest =
        std::max(largest, error(static_cast<double>(a.data[i]), static_cast<double>(b.data[i])));
  return largest;
}

inline Tensor permute_rows(const Tensor& x, const std::vector<int>& order) {
  Tensor out(x.shape);
  for (int t = 0; t < x.shape[0]; ++t)
    std::copy_n(matrix(x).row(order[static_cast<std::size_t>(t)]), x.shape[1], matrix(out).row(t));
  return out;
}

}  // namespace phasor::test::changed_models
