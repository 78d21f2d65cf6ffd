#include <algorithm>
#include <array>

#include "core/format_error.h"
#include "gguf/gguf_architecture.h"
#include "phasor/gguf.h"

namespace phasor {

namespace {

std::array<std::span<const GgufArchitecture>, 5> list_architectures() {
  return {bert_architectures(), gemma_architectures(), gpt_architectures(), llama_architectures(),
          t5_architectures()};
}

std::string join_architecture_names() {
  std::string names;
  for (const auto& lineage : list_architectures()) {
    for (const GgufArchitecture& row : lineage) {
      if (row.required_tensor != nullptr) continue;  // the next row has the same name
      (names += names.empty() ? "" : ", ") += row.name;
    }
  }
  return names;
}

Status find_architecture(const GgufHeader& header, const GgufArchitecture*& out) {
  const auto string_value = [&](const char* key) {
    const GgufValue* value = header.metadata.find(key);
    return value == nullptr ? nullptr : std::get_if<std::string>(&value->value);
  };
  if (const std::string* type = string_value("general.type"); type != nullptr && *type != "model")
    return invalid("general.type: \"{}\" is not supported; expected model", *type);
  const std::string* name = string_value("general.architecture");
  if (name == nullptr) return invalid("general.architecture: the key is missing");
  const auto has_tensor = [&](const char* tensor) {
    return std::any_of(header.tensors.begin(), header.tensors.end(),
                       [&](const GgufTensor& candidate) { return candidate.name == tensor; });
  };
  for (const auto& lineage : list_architectures()) {
    for (const GgufArchitecture& row : lineage) {
      if (*name != row.name || (row.required_tensor != nullptr && !has_tensor(row.required_tensor)))
        continue;
      out = &row;
      return {};
    }
  }
  return unknown("general.architecture: \"{}\" is not known; expected one of {}", *name,
                 join_architecture_names());
}

// Matches a tensor name against a pattern. If the pattern contains {}, sets `layer` to the layer
// index.
bool matches_pattern(std::string_view pattern, std::string_view name, std::string_view& layer) {
  const std::size_t placeholder_begin = pattern.find("{}");
  if (placeholder_begin == pattern.npos) return pattern == name;
  const std::string_view prefix = pattern.substr(0, placeholder_begin),
                         suffix = pattern.substr(placeholder_begin + 2);
  if (!name.starts_with(prefix)) return false;
  const std::size_t layer_end = name.find_first_not_of("0123456789", placeholder_begin);
  if (layer_end == name.npos || name.substr(layer_end) != suffix) return false;
  layer = name.substr(placeholder_begin, layer_end - placeholder_begin);
  return !layer.empty() && layer.size() <= 6 && (layer == "0" || layer.front() != '0');
}

std::string make_config_name(std::string_view pattern, std::string_view layer,
                             std::string_view suffix) {
  std::string name(pattern);
  if (const std::size_t placeholder_begin = name.find("{}"); placeholder_begin != name.npos)
    name.replace(placeholder_begin, 2, layer);
  return name += suffix;
}

struct HeadSizes {
  int heads, kv_heads, dim;
};

Status set_weight_form(WeightForm form, const HeadSizes& sizes, const GgufTensor& tensor,
                       bool is_bias, GgufWeight& out) {
  const int dim = sizes.dim;
  switch (form) {
    case WeightForm::same:
    case WeightForm::unused: return {};
    case WeightForm::one_plus: out.includes_one = !is_bias; return {};
    case WeightForm::transposed:
      if (is_bias) return {};
      if (out.shape.size() != 2)
        return invalid("{}: has shape {}; expected a matrix", tensor.name, out.shape);
      std::swap(out.shape[0], out.shape[1]);
      out.is_transposed = true;
      return {};
    case WeightForm::query_pairs:
    case WeightForm::key_pairs: {
      const int heads = form == WeightForm::query_pairs ? sizes.heads : sizes.kv_heads;
      if (dim % 2 != 0 || out.shape.empty() || out.shape[0] != double{1} * heads * dim)
        return invalid("{}: has shape {}; expected {} heads of {} rows", tensor.name, out.shape,
                       heads, dim);
      out.rows = {.first = 2, .second = dim / 2, .inner = 1};
      return {};
    }
    case WeightForm::by_projection:
      if (out.shape.empty() || out.shape[0] != double{3} * sizes.heads * dim)
        return invalid("{}: has shape {}; expected 3 x {} x {} rows", tensor.name, out.shape,
                       sizes.heads, dim);
      out.rows = {.first = sizes.heads, .second = 3, .inner = dim};
      return {};
  }
  return {};
}

Status read_weight(const GgufArchitecture& architecture, const HeadSizes& sizes, int layer_count,
                   const GgufTensor& tensor, GgufWeight& out) {
  std::string_view name = tensor.name, ending;
  for (const std::string_view suffix : {".weight", ".bias"}) {
    if (name.ends_with(suffix)) ending = suffix;
  }
  name.remove_suffix(ending.size());
  for (const WeightName& row : architecture.weights) {
    std::string_view layer;
    if (ending.empty() || !matches_pattern(row.gguf, name, layer)) continue;
    if (!layer.empty() && std::stoi(std::string(layer)) >= layer_count)
      return invalid("{}: the model has only {} layers", tensor.name, detail(layer_count));
    if (row.form == WeightForm::unused) return {};
    out.name = make_config_name(row.config, layer, ending);
    out.shape = tensor.shape;
    return set_weight_form(row.form, sizes, tensor, ending == ".bias", out);
  }
  return unknown("{}: the tensor is not known for the architecture {}", tensor.name,
                 architecture.name);
}

}  // namespace

int RowOrder::stored_row(int row) const {
  const int b = row / inner % second, a = row / inner / second % first;
  const int block = row / inner / second / first;
  return ((block * second + b) * first + a) * inner + row % inner;
}

bool is_gguf_config_tensor(std::string_view name) {
  return name == "rope_freqs.weight" || name == "rope_factors_long.weight" ||
         name == "rope_factors_short.weight";
}

Result<GgufModel> model_from_gguf(const GgufHeader& header,
                                  const OrderedMap<Tensor>& config_tensors) {
  return Result<GgufModel>::from([&](GgufModel& out) -> Status {
    const GgufArchitecture* architecture = nullptr;
    PHASOR_TRY(find_architecture(header, architecture));
    for (const auto& [name, values] : config_tensors)
      PHASOR_TRY(check_tensor(name.c_str(), values));
    GgufConfigReader reader(header, config_tensors, architecture->name);
    reader.config["model_type"] = std::string(architecture->model_type);
    for (const KeyName& key : architecture->keys) {
      const std::optional<double> value =
          key.is_required ? reader.require(key.gguf) : reader.number(key.gguf);
      if (value) reader.config[key.config] = *value;
    }
    const int layer_count = reader.count("block_count");
    const HeadSizes sizes{reader.heads(), reader.kv_heads(), reader.head_dim()};
    PHASOR_TRY(reader.status());
    const GgufTensor* embeddings = reader.tensor("token_embd.weight");
    if (embeddings == nullptr || embeddings->shape.size() != 2)
      return invalid("token_embd.weight: the matrix is missing");
    reader.config["vocab_size"] = embeddings->shape[0];
    reader.expect("vocab_size", embeddings->shape[0]);
    PHASOR_TRY(reader.status());
    architecture->read(reader);
    reader.reject_unread_keys();
    PHASOR_TRY(reader.status());
    out.config = std::move(reader.config);

    for (std::size_t n = 0; n < header.tensors.size(); ++n) {
      const GgufTensor& tensor = header.tensors[n];
      if (is_gguf_config_tensor(tensor.name)) continue;
      GgufWeight weight{.tensor = n};
      PHASOR_TRY(read_weight(*architecture, sizes, layer_count, tensor, weight));
      if (!weight.name.empty()) out.weights.push_back(std::move(weight));
    }
    return {};
  });
}

Result<Tensor> read_gguf_weight(const GgufHeader& header, const GgufWeight& weight,
                                std::span<const std::uint8_t> bytes) {
  return Result<Tensor>::from([&](Tensor& out) -> Status {
    if (weight.tensor >= header.tensors.size())
      return invalid("weight: the header has no tensor {}", detail(weight.tensor));
    const GgufTensor& tensor = header.tensors[weight.tensor];
    if (bytes.size() != tensor.end - tensor.begin)
      return invalid("bytes: {} were provided, but {} has {}", detail(bytes.size()), tensor.name,
                     tensor.end - tensor.begin);
    PHASOR_TRY(check_size("weight", "an array", tensor.shape));
    PHASOR_TRY_ASSIGN(const std::vector<float> stored_values, dequantize(tensor, bytes));
    out = Tensor(weight.shape);
    const auto row_count =
        tensor.shape.empty() ? std::size_t{1} : static_cast<std::size_t>(tensor.shape[0]);
    const std::size_t columns = row_count == 0 ? 0 : stored_values.size() / row_count;
    for (std::size_t row = 0; row < row_count; ++row) {
      const auto from = static_cast<std::size_t>(weight.rows.stored_row(static_cast<int>(row)));
      for (std::size_t column = 0; column < columns; ++column) {
        const float value = stored_values[from * columns + column];
        const std::size_t to =
            weight.is_transposed ? column * row_count + row : row * columns + column;
        out.data[to] = weight.includes_one ? value - 1 : value;
      }
    }
    return {};
  });
}

}  // namespace phasor
