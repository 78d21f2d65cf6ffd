#include "model/checkpoint/tensor_binder.h"

#include <algorithm>

#include "core/format_error.h"

namespace phasor::model {

using kernels::WeightDType;

namespace {

bool find_dtype(const StoredTensor& tensor, WeightDType& out) {
  if (tensor.dtype == "F32")
    out = WeightDType::f32;
  else if (tensor.dtype == "F16")
    out = WeightDType::f16;
  else if (tensor.dtype == "BF16")
    out = WeightDType::bf16;
  else
    return false;
  return true;
}

}  // namespace

TensorBinder::TensorBinder(const std::vector<CheckpointTensor>& tensors,
                           const Architecture& architecture, std::vector<Binding>& bindings)
    : architecture_(architecture), bindings_(bindings) {
  for (const CheckpointTensor& tensor : tensors) tensors_.push_back(&tensor);
  std::sort(tensors_.begin(), tensors_.end(),
            [](const auto* a, const auto* b) { return a->stored.name < b->stored.name; });
  // Shortens the prefix, for example from "model.decoder." to "decoder.", until the embedding is
  // found.
  prefix_ = architecture.prefix;
  while (!prefix_.empty() && !has(architecture.embedding))
    prefix_.remove_prefix(prefix_.find('.') + 1);
}

Status TensorBinder::check_unique_names() const {
  const auto duplicate = std::adjacent_find(
      tensors_.begin(), tensors_.end(),
      [](const auto* a, const auto* b) { return a->stored.name == b->stored.name; });
  if (duplicate == tensors_.end()) return {};
  return invalid("weights: {} is in two files", detail((*duplicate)->stored.name));
}

void TensorBinder::enter_layer(int layer_index) {
  layer_prefix_ = architecture_.layer_prefix;
  layer_prefix_.replace(layer_prefix_.find("{}"), 2, std::to_string(layer_index));
}

Status TensorBinder::bind_linear(const char* name, int out_features, int in_features, Linear& to) {
  if (name == nullptr) return {};
  PHASOR_TRY(bind_matrix(name, out_features, in_features, to.weight,
                         architecture_.weights_are_transposed));
  if (find(name, ".bias") == nullptr) return {};
  return bind_numbers(full_name(name, ".bias"), {out_features}, 0, to.bias);
}

Status TensorBinder::bind_matrix(const char* name, int out_features, int in_features,
                                 kernels::StoredMatrix& to, bool is_transposed) {
  if (name == nullptr) return {};
  Binding binding;
  PHASOR_TRY(init_binding(full_name(name, ".weight"),
                          is_transposed ? std::vector{in_features, out_features}
                                        : std::vector{out_features, in_features},
                          binding));
  bytes_ += kernels::StoredMatrix::bytes(binding.dtype, out_features, in_features);
  parameters_ += static_cast<double>(out_features) * in_features;
  binding.matrix = &to;
  binding.out_features = out_features;
  binding.in_features = in_features;
  binding.is_transposed ^= is_transposed;
  bindings_.push_back(std::move(binding));
  return {};
}

Status TensorBinder::bind_norm(const char* name, int dim, NormWeights& to) {
  if (name == nullptr) return {};
  // Early BERT checkpoints use the names gamma and beta instead of weight and bias.
  const bool has_legacy_names = find(name, ".gamma") != nullptr;
  PHASOR_TRY(bind_numbers(full_name(name, has_legacy_names ? ".gamma" : ".weight"), {dim},
                          architecture_.adds_one_to_norm_weights ? 1 : 0, to.weight));
  const char* bias = has_legacy_names ? ".beta" : ".bias";
  if (architecture_.norm == nn::NormKind::rms_norm) return {};
  if (find(name, bias) != nullptr) return bind_numbers(full_name(name, bias), {dim}, 0, to.bias);
  to.bias.assign(static_cast<std::size_t>(dim), 0.0f);
  return {};
}

Status TensorBinder::bind_numbers(const std::string& name, const std::vector<int>& shape,
                                  float addend, std::vector<float>& to) {
  Binding binding;
  PHASOR_TRY(init_binding(name, shape, binding));
  PHASOR_TRY(check_memory("weights", array_bytes(shape)));
  to.resize(numel(shape));
  bytes_ += array_bytes(shape);
  parameters_ += static_cast<double>(numel(shape));
  binding.array = to.data();
  binding.addend += addend;
  bindings_.push_back(std::move(binding));
  return {};
}

std::string TensorBinder::full_name(const char* name, const char* suffix) const {
  if (name[0] == '^') return std::string(name + 1) + suffix;
  return std::string(prefix_) + layer_prefix_ + name + suffix;
}

Status TensorBinder::check_unbound(bool is_tied) const {
  for (const CheckpointTensor* tensor : tensors_) {
    const std::string& name = tensor->stored.name;
    const bool is_bound = std::any_of(bindings_.begin(), bindings_.end(),
                                      [&](const Binding& b) { return b.name == name; });
    if (is_bound || is_ignored(name)) continue;
    if (is_tied && architecture_.head != nullptr &&
        name == std::string(architecture_.head + 1) + ".weight")
      continue;
    return unknown("weights: {} is not used by the model", detail(name));
  }
  return {};
}

const CheckpointTensor* TensorBinder::find(const std::string& name) const {
  const auto match =
      std::lower_bound(tensors_.begin(), tensors_.end(), name,
                       [](const auto* a, const std::string& b) { return a->stored.name < b; });
  return match != tensors_.end() && (*match)->stored.name == name ? *match : nullptr;
}

Status TensorBinder::init_binding(const std::string& name, const std::vector<int>& shape,
                                  Binding& out) const {
  const CheckpointTensor* tensor = find(name);
  if (tensor == nullptr) return unknown("weights: {} is missing", detail(name));
  const StoredTensor& stored = tensor->stored;
  std::vector<int> file_shape;
  if (find_dtype(stored, out.dtype)) {
    PHASOR_TRY(read_shape(stored, out.dtype == WeightDType::f32 ? 4 : 2, file_shape));
  } else if (tensor->gguf != nullptr) {
    PHASOR_TRY(check_gguf_dtype(*tensor->gguf));
    file_shape = tensor->gguf->shape;
    out.gguf = tensor->gguf;
    out.dtype = gguf_block_terms(*tensor->gguf) == 16 ? WeightDType::int8_blocks_16
                                                      : WeightDType::int8_blocks;
  } else {
    return invalid("weights: {} is stored as {}; expected F32, F16 or BF16", detail(name),
                   stored.dtype);
  }
  out.columns = file_shape.empty() ? 1 : file_shape.back();
  // In a 1-D array, such as a bias, each value counts as a row, so that out.rows can reorder them.
  if (file_shape.size() == 1 && out.gguf == nullptr) out.columns = 1;
  if (tensor->is_transposed && file_shape.size() == 2) std::swap(file_shape[0], file_shape[1]);
  if (file_shape.size() == 1 && out.gguf != nullptr && tensor->rows.first > 1)
    return invalid("weights: {} is quantised, so its elements cannot be reordered", detail(name));
  if (file_shape != shape)
    return invalid("weights: {} has shape {}; expected {}", detail(name), file_shape, shape);
  out.name = name;
  out.file_index = tensor->file_index;
  out.begin = stored.begin;
  out.size = stored.end - stored.begin;
  const std::size_t row_count = numel(shape) / static_cast<std::size_t>(std::max(1, out.columns));
  out.row_bytes = row_count == 0 ? 1 : out.size / row_count;
  out.rows = {tensor->rows.second, tensor->rows.first, tensor->rows.inner};
  out.is_transposed = tensor->is_transposed;
  out.addend = tensor->norm_weight_includes_one ? -1.0f : 0.0f;
  return {};
}

bool TensorBinder::is_ignored(std::string_view name) const {
  if (name.starts_with(architecture_.prefix))
    name.remove_prefix(std::string_view(architecture_.prefix).size());
  for (const std::string_view rule : architecture_.ignored_tensors.list()) {
    if (rule.ends_with('.')) {
      if (name.starts_with(rule)) return true;
    } else if (name.ends_with(rule) &&
               (name.size() == rule.size() || name[name.size() - rule.size() - 1] == '.')) {
      return true;
    }
  }
  return false;
}

}  // namespace phasor::model
