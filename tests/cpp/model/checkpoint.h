#pragma once
// Reads the tiny checkpoints of tests/golden-models and loads them by byte ranges.

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "numbers.h"
#include "phasor/model.h"
#include "results.h"

namespace phasor::test {

using Json = nlohmann::ordered_json;
using FileBytes = std::vector<std::uint8_t>;

struct Checkpoint {
  std::string name;
  Json config, expected;
  std::vector<FileBytes> files;
};

inline FileBytes file_bytes(const std::filesystem::path& path) {
  std::ifstream stream(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

inline Checkpoint read_checkpoint(const std::string& name) {
  const std::filesystem::path folder =
      std::filesystem::path(PHASOR_SOURCE_DIR) / "tests/golden-models" / name;
  const auto json = [&](const char* file) {
    std::ifstream stream(folder / file);
    return Json::parse(stream, nullptr, false);
  };
  return {
      name, json("config.json"), json("expected.json"), {file_bytes(folder / "model.safetensors")}};
}

inline std::vector<std::string> checkpoint_names() {
  std::ifstream stream(std::filesystem::path(PHASOR_SOURCE_DIR) / "tests/golden-models/index.json");
  return Json::parse(stream, nullptr, false)["cases"].get<std::vector<std::string>>();
}

/// Flattens a config.json for layers_from_config: paths are joined by dots, null is a tensor of
/// rank 0.
inline void flatten(const Json& value, const std::string& path, Params& out) {
  if (value.is_object()) {
    for (const auto& [key, entry] : value.items())
      flatten(entry, path.empty() ? key : path + "." + key, out);
  } else if (value.is_null()) {
    out.add(path, Tensor());
  } else if (value.is_boolean()) {
    out.add(path, value.get<bool>());
  } else if (value.is_number()) {
    out.add(path, value.get<double>());
  } else if (value.is_string()) {
    out.add(path, value.get<std::string>());
  } else if (value.is_array() &&
             std::all_of(value.begin(), value.end(),
                         [](const Json& entry) { return entry.is_string(); }) &&
             !value.empty()) {
    std::string words;
    for (const Json& word : value) (words += words.empty() ? "" : ", ") += word.get<std::string>();
    out.add(path, words);
  } else if (value.is_array() && !value.empty() && value[0].is_array()) {  // GPT-Neo
    for (std::size_t n = 0; n < value.size(); ++n)
      flatten(value[n], path + "." + std::to_string(n), out);
  } else if (value.is_array()) {
    const auto numbers = value.get<std::vector<float>>();
    out.add(path, Tensor({static_cast<int>(numbers.size())}, numbers));
  }
}

inline Result<std::unique_ptr<Model>> load(const Checkpoint& checkpoint) {
  Params config;
  flatten(checkpoint.config, "", config);
  std::vector<CheckpointFile> files;
  for (std::size_t n = 0; n < checkpoint.files.size(); ++n)
    files.push_back({"file" + std::to_string(n), checkpoint.files[n].size()});
  PHASOR_TRY_ASSIGN(const std::unique_ptr<ModelLoader> loader,
                    ModelLoader::create(config, std::move(files)));
  while (const std::optional<ByteRange> range = loader->next_range()) {
    const FileBytes& file = checkpoint.files[static_cast<std::size_t>(range->file)];
    EXPECT_LE(range->begin + range->size, file.size());
    if (range->begin + range->size > file.size()) break;
    PHASOR_TRY(loader->add_bytes(std::span(file).subspan(static_cast<std::size_t>(range->begin),
                                                         static_cast<std::size_t>(range->size))));
  }
  return loader->finish();
}

}  // namespace phasor::test
