#include "encoding_base/token_tensors/token_checks.h"

#include <algorithm>

#include "core/format_error.h"
#include "core/repeated_name.h"

namespace phasor {

namespace {

std::vector<int> make_shape(const TokenTensorInfo& info, const TokenSizes& sizes) {
  std::vector<int> shape;
  if (sizes.batch > 0) shape.push_back(sizes.batch);
  for (const std::string_view axis : ChoiceList(info.shape).list()) {
    shape.push_back(axis == "heads"      ? sizes.heads
                    : axis == "kv_heads" ? sizes.kv_heads
                    : axis == "tokens"   ? sizes.tokens
                    : axis == "pairs"    ? sizes.head_dim / 2
                                         : sizes.head_dim);
  }
  return shape;
}

std::string join_names(std::span<const TokenTensorInfo> infos) {
  std::string names;
  for (const TokenTensorInfo& info : infos) (names += names.empty() ? "" : ", ") += info.name;
  return names;
}

Status check_value_range(const TokenTensorInfo& info, const Tensor& tensor) {
  const std::string name(info.name);
  PHASOR_TRY(check_tensor(name.c_str(), tensor));
  for (std::size_t i = 0; i < tensor.data.size(); ++i) {
    const double value = static_cast<double>(tensor.data[i]);
    if (value > info.max)
      return invalid("{}[{}]: {} is too large; expected at most {}", info.name, i, value, info.max);
    if (value < info.min)
      return invalid("{}[{}]: {} is too small; expected at least {}", info.name, i, value,
                     info.min);
  }
  return {};
}

// The shape of a token tensor without its batch axis. `channels` is the product of all axes after
// the tokens.
struct Extents {
  std::ptrdiff_t heads, tokens, channels;

  explicit Extents(const Tensor& t)
      : heads(t.shape[0]),
        tokens(t.shape[1]),
        channels(static_cast<std::ptrdiff_t>(numel(std::span(t.shape).subspan(2)))) {}
};

}  // namespace

Status check_token_tensors(const Encoding& encoding, const TokenTensors& token_tensors,
                           const TokenSizes& sizes) {
  const std::span<const TokenTensorInfo> infos = encoding.token_tensors;
  for (const auto& [name, tensor] : token_tensors) {
    const bool is_known =
        std::any_of(infos.begin(), infos.end(),
                    [&tensor_name = name](const auto& info) { return info.name == tensor_name; });
    if (is_known) continue;
    if (infos.empty()) return unknown("{}: {} has no token tensors", name, encoding.id);
    return unknown("{}: is not a token tensor of {}; expected one of {}", name, encoding.id,
                   ChoiceList(join_names(infos).c_str()));
  }
  if (const auto name = find_repeated_name(token_tensors))
    return invalid("{}: occurs twice; expected one tensor", *name);
  for (const TokenTensorInfo& info : infos) {
    const Tensor* tensor = token_tensors.find(info.name);
    const std::vector<int> shape = make_shape(info, sizes);
    if (tensor == nullptr) {
      if (info.optional) continue;
      return invalid("{}: is missing; {} expects it in {} with shape {}", info.name, encoding.id,
                     argument("token_tensors"), shape);
    }
    if (tensor->shape != shape)
      return invalid("{}: has shape {}; expected {} ({}{})", info.name, tensor->shape, shape,
                     sizes.batch > 0 ? "batch, " : "", info.shape);
    PHASOR_TRY(check_value_range(info, *tensor));
  }
  return {};
}

Status check_causal(const Encoding& encoding, bool causal) {
  if (causal || !encoding.causal_only()) return {};
  const char* const remap = encoding.as_rotation() != nullptr ? "remap of " : "";
  return invalid(
      "mask: \"none\" lets queries attend to later keys, for which {}{} is not defined; expected "
      "\"causal\"",
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
