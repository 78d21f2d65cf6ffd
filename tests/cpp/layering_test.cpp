// The layers of docs/architecture.md: the headers that the files of each folder may include.

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

namespace phasor::test::layering_test {
namespace {

// A folder and the headers that its files may include besides the standard library: "core/" allows
// every header below core, "core/*" those directly in core, "core/a.h" that header.
struct Layer {
  std::string_view folder;
  std::vector<std::string_view> allowed;
};

// The first folder that contains a file applies.
const std::vector<Layer>& layers() {
  static const std::vector<Layer> all = {
      {"cpp/include/phasor", {"phasor/"}},
      {"cpp/src/core",
       {"phasor/status.h", "phasor/tensor.h", "phasor/params.h", "phasor/result.h",
        "phasor/tensor_view.h", "phasor/ordered_map.h", "core/", "pthread.h"}},
      {"cpp/src/math", {"phasor/tensor.h", "phasor/random.h", "core/", "math/", "Eigen/"}},
      {"cpp/src/kernels",
       {"phasor/tensor.h", "core/", "math/", "kernels/", "immintrin.h", "arm_neon.h",
        "wasm_simd128.h"}},
      {"cpp/src/sinusoid",
       {"phasor/tensor.h", "phasor/sinusoid.h", "core/", "math/", "kernels/", "sinusoid/"}},
      {"cpp/src/relative_position",
       {"phasor/", "core/", "math/", "kernels/", "relative_position/"}},
      {"cpp/src/rope", {"phasor/", "core/", "math/", "sinusoid/sinusoid_rows.h", "rope/"}},
      {"cpp/src/hf_config/families", {"hf_config/"}},
      {"cpp/src/hf_config",
       {"phasor/", "core/", "math/", "sinusoid/sinusoid_rows.h", "rope/", "hf_config/",
        "families.inc"}},
      {"cpp/src/encoding_base/positions", {"phasor/", "core/", "encoding_base/positions/"}},
      {"cpp/src/encoding_base/token_tensors",
       {"phasor/", "core/", "math/", "kernels/", "encoding_base/token_tensors/"}},
      {"cpp/src/encoding_base/parts",
       {"phasor/", "core/", "math/", "kernels/", "sinusoid/", "encoding_base/parts/",
        "relative_position/relative_positions.h"}},
      {"cpp/src/encoding_base/custom_dot_product",
       {"phasor/", "core/", "kernels/", "sinusoid/", "encoding_base/custom_dot_product/"}},
      {"cpp/src/encoding_base/encoding_ops",
       {"phasor/", "core/", "sinusoid/", "encoding_base/encoding_ops/",
        "relative_position/relative_positions.h", "encoding_base/dims_check.h",
        "encoding_base/token_tensors/token_checks.h"}},
      {"cpp/src/encoding_base",
       {"phasor/", "core/", "sinusoid/", "encoding_base/*", "encodings.inc"}},
      {"cpp/src/encodings",
       {"phasor/", "core/", "math/", "kernels/", "sinusoid/", "relative_position/", "rope/",
        "encoding_base/"}},
      {"cpp/src/attention/streaming",
       {"phasor/", "core/", "math/", "kernels/", "sinusoid/", "attention/streaming/",
        "relative_position/relative_positions.h"}},
      {"cpp/src/attention/validate",
       {"phasor/", "core/", "kernels/", "attention/validate/", "attention/streaming/attend.h",
        "encoding_base/dims_check.h", "encoding_base/positions/position_check.h",
        "encoding_base/token_tensors/token_checks.h"}},
      {"cpp/src/attention/cache",
       {"phasor/", "core/", "math/", "kernels/", "sinusoid/", "attention/validate/",
        "attention/streaming/", "attention/cache/", "encoding_base/token_tensors/token_checks.h"}},
      {"cpp/src/attention",
       {"phasor/", "core/", "math/", "kernels/", "sinusoid/", "attention/",
        "encoding_base/token_tensors/token_checks.h"}},
      {"cpp/src/analysis",
       {"phasor/", "core/", "math/", "kernels/", "sinusoid/sinusoid_rows.h", "analysis/"}},
      {"cpp/src/nn", {"phasor/", "core/", "math/", "kernels/", "nn/"}},
      {"cpp/src/optim", {"core/", "math/", "kernels/", "optim/"}},
      {"cpp/src/safetensors", {"phasor/", "core/", "safetensors/"}},
      {"cpp/src/gguf/conversions", {"core/format_error.h", "gguf/"}},
      {"cpp/src/gguf", {"phasor/", "core/", "safetensors/half.h", "gguf/"}},
      {"cpp/src/model/architectures", {"model/architecture.h"}},
      {"cpp/src/model/checkpoint",
       {"phasor/", "core/", "kernels/", "safetensors/", "model/*", "model/checkpoint/"}},
      {"cpp/src/model/change", {"phasor/", "core/", "model/*", "model/change/"}},
      {"cpp/src/model/run",
       {"phasor/", "core/", "kernels/", "attention/streaming/qk_norm.h", "nn/", "model/*",
        "model/change/", "model/run/"}},
      {"cpp/src/model", {"phasor/", "core/", "kernels/", "nn/", "model/", "architectures.inc"}},
      {"cpp/src/task_base",
       {"phasor/", "core/", "math/", "kernels/", "nn/", "task_base/", "tasks.inc"}},
      {"cpp/src/tasks", {"phasor/", "core/", "math/", "kernels/", "nn/", "optim/", "task_base/"}},
      {"cpp/src/train",
       {"phasor/", "core/", "math/", "kernels/", "nn/", "optim/", "task_base/", "train/"}},
      {"cpp/cli", {"phasor/", "unistd.h", "arguments.h", "files.h", "report.h"}},
      {"cpp/wasm",
       {"phasor/", "emscripten/", "core/format_error.h", "attention/validate/call.h",
        "kernels/register_blocks.h", "response.h", "array_source.h", "arrays.h", "bytes.h",
        "changes.h", "calls.h", "fields.h", "handles.h", "request.h"}},
  };
  return all;
}

struct Source {
  std::string name, text;
};

const std::vector<Source>& sources() {
  static const std::vector<Source> all = [] {
    const std::filesystem::path root = PHASOR_SOURCE_DIR;
    std::vector<Source> loaded_sources;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(root / "cpp")) {
      const std::string ending = entry.path().extension().string();
      if (ending != ".cpp" && ending != ".h") continue;
      std::ifstream stream(entry.path());
      loaded_sources.push_back({entry.path().lexically_relative(root).generic_string(),
                                {std::istreambuf_iterator<char>(stream), {}}});
    }
    std::ranges::sort(loaded_sources, {}, &Source::name);
    return loaded_sources;
  }();
  return all;
}

std::vector<std::string_view> included_headers(std::string_view text) {
  constexpr std::string_view kDirective = "#include ";
  std::vector<std::string_view> headers;
  for (std::size_t offset = text.find(kDirective); offset != text.npos;
       offset = text.find(kDirective, offset)) {
    offset += kDirective.size() + 1;
    headers.push_back(text.substr(offset, text.find_first_of(">\"\n", offset) - offset));
  }
  return headers;
}

bool is_allowed(std::string_view header, std::string_view rule) {
  if (rule.ends_with('/')) return header.starts_with(rule);
  if (!rule.ends_with('*')) return header == rule;
  rule.remove_suffix(1);
  return header.starts_with(rule) && header.find('/', rule.size()) == header.npos;
}

TEST(Layering, EveryFileIncludesOnlyLowerLayers) {
  ASSERT_GT(sources().size(), 200u);
  for (const Source& source : sources()) {
    const auto layer = std::ranges::find_if(layers(), [&](const Layer& candidate) {
      return source.name.starts_with(std::string(candidate.folder) + "/");
    });
    ASSERT_TRUE(layer != layers().end()) << source.name << " is in no layer";
    for (const std::string_view header : included_headers(source.text)) {
      // Headers of the standard library have neither a folder nor an extension.
      if (header.find_first_of("/.") == header.npos) continue;
      EXPECT_TRUE(std::ranges::any_of(
          layer->allowed, [&](std::string_view rule) { return is_allowed(header, rule); }))
          << source.name << " includes " << header << ", which is above its layer";
    }
  }
}

// Headers without a source file.
constexpr std::string_view kHeaderOnly[] = {"content_bias", "encoding_config", "head_mixing",
                                            "ordered_map",  "parameter",       "phasor",
                                            "result"};

// phasor/X.h is implemented in a folder X below cpp/src if there is one, otherwise in a file X.cpp.
// The folders of registries are excluded, because each of their files is an entry.
TEST(Layering, EveryPublicHeaderHasASourceOfThatName) {
  const std::filesystem::path root = PHASOR_SOURCE_DIR;
  std::vector<std::string> folders, files;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(root / "cpp/src")) {
    const std::string folder = entry.path().parent_path().filename().string();
    if (folder == "encodings" || folder == "tasks") continue;
    if (entry.is_directory()) folders.push_back(entry.path().filename().string());
    if (entry.path().extension() == ".cpp") files.push_back(entry.path().stem().string());
  }
  for (const auto& entry : std::filesystem::directory_iterator(root / "cpp/include/phasor")) {
    if (entry.path().extension() != ".h") continue;
    const std::string name = entry.path().stem().string();
    const auto in_folders = std::ranges::count(folders, name);
    const auto sources = in_folders > 0 ? in_folders : std::ranges::count(files, name);
    const bool is_header_only = std::ranges::count(kHeaderOnly, name) > 0;
    EXPECT_EQ(sources, is_header_only ? 0 : 1) << "phasor/" << name << ".h";
  }
}

TEST(Layering, OnlyOneFileUsesEigenMapAndOnlyWasmIncludesEmscripten) {
  std::vector<std::string> maps;
  for (const Source& source : sources()) {
    if (source.text.find("Eigen::Map<") != std::string::npos) maps.push_back(source.name);
    if (source.text.find("#include <emscripten") == std::string::npos) continue;
    EXPECT_TRUE(source.name.starts_with("cpp/wasm/")) << source.name << " includes Emscripten";
  }
  EXPECT_EQ(maps, std::vector<std::string>{"cpp/src/math/eigen_map.h"});
}

}  // namespace
}  // namespace phasor::test::layering_test
