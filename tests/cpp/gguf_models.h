#pragma once
// Converts the checkpoints of tests/golden-models to GGUF like llama.cpp does, without code of the
// library: names come from gguf-py, and rows are permuted here.

#include <fstream>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <string>

#include "gguf_file.h"
#include "phasor/safetensors.h"
#include "results.h"

namespace phasor::test {

using Json = nlohmann::json;

inline Json read_json(const std::string& path) {
  std::ifstream stream(PHASOR_SOURCE_DIR "/tests/" + path);
  return Json::parse(stream);
}

/// Flattens a config.json for its readers: nested keys are joined by dots.
inline void flatten(const Json& value, const std::string& path, Params& out) {
  if (value.is_object()) {
    for (const auto& [key, child] : value.items())
      flatten(child, path.empty() ? key : path + "." + key, out);
  } else if (value.is_number()) {
    out.add(path, value.get<double>());
  } else if (value.is_boolean()) {
    out.add(path, value.get<bool>());
  } else if (value.is_string()) {
    out.add(path, value.get<std::string>());
  } else if (value.is_null()) {
    out.add(path, Tensor{});
  }
}

struct GoldenCheckpoint {
  Json config{};
  SafetensorsFile file{};
};

inline GoldenCheckpoint golden_checkpoint(const std::string& name) {
  const std::string folder = PHASOR_SOURCE_DIR "/tests/golden-models/" + name;
  std::ifstream stream(folder + "/model.safetensors", std::ios::binary);
  const Bytes bytes{std::istreambuf_iterator<char>(stream), {}};
  return {read_json("golden-models/" + name + "/config.json"), value_of(read_safetensors(bytes))};
}

/// Reorders rows: row `row` of the result is row `source_row(row)` of the tensor.
inline Tensor reorder_rows(const Tensor& tensor, const std::function<int(int)>& source_row) {
  Tensor out(tensor.shape);
  const std::size_t columns = tensor.data.size() / static_cast<std::size_t>(tensor.shape[0]);
  for (int row = 0; row < tensor.shape[0]; ++row) {
    for (std::size_t c = 0; c < columns; ++c)
      out.data[static_cast<std::size_t>(row) * columns + c] =
          tensor.data[static_cast<std::size_t>(source_row(row)) * columns + c];
  }
  return out;
}

/// permute() of the converter: (heads, 2, dim / 2) becomes (heads, dim / 2, 2).
inline Tensor interleave_halves(const Tensor& tensor, int heads) {
  const int dim = tensor.shape[0] / heads;
  return reorder_rows(tensor, [=](int row) {
    const int head = row / dim, pair = row % dim / 2, half = row % 2;
    return head * dim + half * (dim / 2) + pair;
  });
}

/// (heads, q and k and v, channels) becomes (q and k and v, heads, channels).
inline Tensor group_by_projection(const Tensor& tensor, int heads) {
  const int dim = tensor.shape[0] / heads / 3;
  return reorder_rows(tensor, [=](int row) {
    const int projection = row / (heads * dim), head = row / dim % heads;
    return (head * 3 + projection) * dim + row % dim;
  });
}

inline Tensor transpose(const Tensor& tensor) {
  const auto rows = static_cast<std::size_t>(tensor.shape[0]),
             columns = static_cast<std::size_t>(tensor.shape[1]);
  Tensor out({tensor.shape[1], tensor.shape[0]});
  for (std::size_t i = 0; i < rows; ++i) {
    for (std::size_t j = 0; j < columns; ++j) out.data[j * rows + i] = tensor.data[i * columns + j];
  }
  return out;
}

/// The name in GGUF, or "" if the converter omits the tensor. `names` lists two layers; names of
/// others are derived.
inline std::string gguf_name(const Json& names, const std::string& name) {
  if (names.contains(name)) return names[name].get<std::string>();
  const std::string layer_prefix = ".layers.";
  const std::size_t prefix_begin = name.find(layer_prefix);
  if (prefix_begin == name.npos) return "";
  const std::size_t number_begin = prefix_begin + layer_prefix.size(),
                    end = name.find('.', number_begin);
  const std::string listed_name = name.substr(0, number_begin) + "1" + name.substr(end);
  if (!names.contains(listed_name)) return "";
  std::string out = names[listed_name].get<std::string>();
  return out.replace(out.find(".1."), 3, "." + name.substr(number_begin, end - number_begin) + ".");
}

using Conversion = std::function<Tensor(const std::string& name, const Tensor& tensor)>;

inline void add_tensors(const GoldenCheckpoint& model, const std::string& architecture,
                        const Conversion& convert, GgufFile& out) {
  const Json names = read_json("golden-gguf/names.json")["names"][architecture];
  for (const auto& [name, tensor] : model.file.tensors) {
    const std::string to = gguf_name(names, name);
    if (!to.empty()) out.floats(to, convert(name, tensor));
  }
}

}  // namespace phasor::test
