#include "encoding_base/token_tensors/token_checks.h"

#include <algorithm>

#include "core/format_error.h"
#include "core/repeated_name.h"

namespace phasor {

namespace {

std::vector<int> shape_of(const TokenTensorInfo& spec, const TokenSizes& sizes) {
  std::vector<int> shape;
  if (sizes.batch > 0) shape.push_back(sizes.batch);
  for (const std::string_view axis : ChoiceList(spec.shape).list()) {
    shape.push_back(axis == "heads"      ? sizes.heads
                    : axis == "kv_heads" ? sizes.kv_heads
                    : axis == "tokens"   ? sizes.tokens
                    : axis == "pairs"    ? sizes.head_dim / 2
                                         : sizes.head_dim);
  }
  return shape;
}

std::string names_of(std::span<const TokenTensorInfo> specs) {
  std::string names;
  for (const TokenTensorInfo& spec : specs) (names += names.empty() ? "" : ", ") += spec.name;
  return names;
}

Status check_numbers(const TokenTensorInfo& spec, const Tensor& provided) {
  const std::string name(spec.name);
  PHASOR_TRY(check_tensor(name.c_str(), provided));
  for (std::size_t i = 0; i < provided.data.size(); ++i) {
    const double value = static_cast<double>(provided.data[i]);
    if (value > spec.max)
      return invalid("{}[{}]: {} is more than {}", spec.name, i, value, spec.max);
    if (value < spec.min)
      return invalid("{}[{}]: {} is less than {}", spec.name, i, value, spec.min);
  }
  return {};
}

// The shape of a token tensor without a batch axis: (heads, tokens, product of the other axes).
struct Extents {
  std::ptrdiff_t heads, tokens, channels;

  explicit Extents(const Tensor& t)
      : heads(t.shape[0]),
        tokens(t.shape[1]),
        channels(static_cast<std::ptrdiff_t>(numel(std::span(t.shape).subspan(2)))) {}
};

}  // namespace

Status check_token_tensors(const Encoding& encoding, const TokenTensors& provided,
                           const TokenSizes& sizes) {
  const std::span<const TokenTensorInfo> specs = encoding.token_tensors;
  for (const auto& [name, tensor] : provided) {
    const bool is_known =
        std::any_of(specs.begin(), specs.end(),
                    [&requested = name](const auto& spec) { return spec.name == requested; });
    if (is_known) continue;
    if (specs.empty()) return unknown("{}: {} has no token tensors", name, encoding.id);
    return unknown("{}: is not a token tensor of {}; expected one of {}", name, encoding.id,
                   ChoiceList(names_of(specs).c_str()));
  }
  if (const auto name = repeated_name(provided))
    return invalid("{}: occurs twice; expected one tensor", *name);
  for (const TokenTensorInfo& spec : specs) {
    const Tensor* tensor = provided.find(spec.name);
    const std::vector<int> shape = shape_of(spec, sizes);
    if (tensor == nullptr) {
      if (spec.optional) continue;
      return invalid("{}: is missing; {} expects it in {} with shape {}", spec.name, encoding.id,
                     argument("token_tensors"), shape);
    }
    if (tensor->shape != shape)
      return invalid("{}: has shape {}; expected {} ({}{})", spec.name, tensor->shape, shape,
                     sizes.batch > 0 ? "batch, " : "", spec.shape);
    PHASOR_TRY(check_numbers(spec, *tensor));
  }
  return {};
}

Status check_causal(const Encoding& encoding, bool causal) {
  if (causal || !encoding.causal_only()) return {};
  const char* const remap = encoding.as_rotation() != nullptr ? "remap of " : "";
  return invalid(
      "mask: none lets queries read later keys, for which {}{} is not defined; expected causal",
      remap, encoding.id);
}

void append_tokens(const Tensor& new_tokens, Tensor& tensor) {
  if (tensor.empty()) {
    tensor = new_tokens;
    return;
  }
  const Extents extents(tensor), added_extents(new_tokens);
  std::vector<int> shape = tensor.shape;
  shape[1] += new_tokens.shape[1];
  Tensor out(std::move(shape));
  float* to = out.data.data();
  for (std::ptrdiff_t h = 0; h < extents.heads; ++h) {
    const std::ptrdiff_t old_size = extents.tokens * extents.channels,
                         added_size = added_extents.tokens * added_extents.channels;
    to = std::copy_n(tensor.data.data() + h * old_size, old_size, to);
    to = std::copy_n(new_tokens.data.data() + h * added_size, added_size, to);
  }
  tensor = std::move(out);
}

void truncate_tokens(int tokens, Tensor& tensor) {
  const Extents extents(tensor);
  std::vector<int> shape = tensor.shape;
  shape[1] = tokens;
  if (tokens == 0) {
    tensor = {};
    return;
  }
  Tensor out(std::move(shape));
  float* to = out.data.data();
  for (std::ptrdiff_t h = 0; h < extents.heads; ++h)
    to = std::copy_n(tensor.data.data() + h * extents.tokens * extents.channels,
                     tokens * extents.channels, to);
  tensor = std::move(out);
}

}  // namespace phasor
