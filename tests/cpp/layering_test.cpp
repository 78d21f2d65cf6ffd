// The layers of docs/architecture.md: which headers the files of a folder include.

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

// A folder, and what its files may include besides the headers of the standard library: "core/" is
// every header below core, "core/*" every header in core itself, and "core/a.h" that one.
struct Layer {
  std::string_view folder;
  std::vector<std::string_view> allowed;
};

// A file belongs to the first of them that it is below.
const std::vector<Layer>& layers() {
  static const std::vector<Layer> all = {
      {"cpp/include/phasor", {"phasor/"}},
      {"cpp/src/core",
       {"phasor/status.h", "phasor/tensor.h", "phasor/params.h", "phasor/result.h",
        "phasor/strided.h", "core/"}},
      {"cpp/src/math", {"phasor/tensor.h", "phasor/random.h", "core/", "math/", "Eigen/"}},
      {"cpp/src/kernels",
       {"phasor/tensor.h", "core/", "math/", "kernels/", "immintrin.h", "arm_neon.h",
        "wasm_simd128.h"}},
      {"cpp/src/waves",
       {"phasor/tensor.h", "phasor/waves.h", "core/", "math/", "kernels/", "waves/"}},
      {"cpp/src/relative", {"phasor/", "core/", "math/", "kernels/", "relative/"}},
      {"cpp/src/rope", {"phasor/", "core/", "math/", "rope/"}},
      {"cpp/src/model", {"phasor/", "core/", "math/", "rope/", "model/"}},
      {"cpp/src/encoding/positions", {"phasor/", "core/", "encoding/positions/"}},
      {"cpp/src/encoding/tokens", {"phasor/", "core/", "math/", "kernels/", "encoding/tokens/"}},
      {"cpp/src/encoding/parts",
       {"phasor/", "core/", "math/", "kernels/", "waves/", "encoding/parts/",
        "relative/relative_positions.h"}},
      {"cpp/src/encoding/products",
       {"phasor/", "core/", "kernels/", "waves/", "encoding/products/"}},
      {"cpp/src/encoding/evaluate",
       {"phasor/", "core/", "waves/", "encoding/evaluate/", "relative/relative_positions.h",
        "encoding/made_for.h", "encoding/tokens/token_checks.h"}},
      {"cpp/src/encoding", {"phasor/", "core/", "waves/", "encoding/*", "encodings.inc"}},
      {"cpp/src/encodings",
       {"phasor/", "core/", "math/", "kernels/", "waves/", "relative/", "rope/", "encoding/"}},
      {"cpp/src/attention/pass",
       {"phasor/", "core/", "math/", "kernels/", "waves/", "attention/pass/",
        "relative/relative_positions.h"}},
      {"cpp/src/attention/call",
       {"phasor/", "core/", "kernels/", "attention/call/", "attention/pass/attend.h",
        "encoding/made_for.h", "encoding/positions/position_check.h",
        "encoding/tokens/token_checks.h"}},
      {"cpp/src/attention/cache",
       {"phasor/", "core/", "math/", "kernels/", "waves/", "attention/call/", "attention/pass/",
        "attention/cache/", "encoding/tokens/token_checks.h"}},
      {"cpp/src/attention",
       {"phasor/", "core/", "math/", "kernels/", "waves/", "attention/",
        "encoding/tokens/token_checks.h"}},
      {"cpp/src/analysis", {"phasor/", "core/", "math/", "kernels/", "analysis/"}},
      {"cpp/src/nn", {"phasor/", "core/", "math/", "kernels/", "nn/"}},
      {"cpp/src/optim", {"core/", "math/", "kernels/", "optim/"}},
      {"cpp/src/weights", {"phasor/", "core/", "weights/"}},
      {"cpp/src/task", {"phasor/", "core/", "math/", "kernels/", "nn/", "task/", "tasks.inc"}},
      {"cpp/src/tasks", {"phasor/", "core/", "math/", "kernels/", "nn/", "optim/", "task/"}},
      {"cpp/src/train",
       {"phasor/", "core/", "math/", "kernels/", "nn/", "optim/", "task/", "train/"}},
      {"cpp/train", {"phasor/", "unistd.h", "arguments.h", "files.h", "report.h"}},
      {"cpp/wasm",
       {"phasor/", "emscripten/", "core/format_error.h", "attention/call/checks.h",
        "kernels/register_blocks.h", "answer.h", "array_source.h", "arrays.h", "calls.h",
        "fields.h", "handles.h", "request.h"}},
  };
  return all;
}

struct Source {
  std::string name, text;
};

const std::vector<Source>& sources() {
  static const std::vector<Source> all = [] {
    const std::filesystem::path root = PHASOR_SOURCE_DIR;
    std::vector<Source> found;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(root / "cpp")) {
      const std::string ending = entry.path().extension().string();
      if (ending != ".cpp" && ending != ".h") continue;
      std::ifstream stream(entry.path());
      found.push_back({entry.path().lexically_relative(root).generic_string(),
                       {std::istreambuf_iterator<char>(stream), {}}});
    }
    std::ranges::sort(found, {}, &Source::name);
    return found;
  }();
  return all;
}

std::vector<std::string_view> included(std::string_view text) {
  constexpr std::string_view kDirective = "#include ";
  std::vector<std::string_view> names;
  for (std::size_t at = text.find(kDirective); at != text.npos; at = text.find(kDirective, at)) {
    at += kDirective.size() + 1;
    names.push_back(text.substr(at, text.find_first_of(">\"\n", at) - at));
  }
  return names;
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
    const auto layer = std::ranges::find_if(layers(), [&](const Layer& one) {
      return source.name.starts_with(std::string(one.folder) + "/");
    });
    ASSERT_TRUE(layer != layers().end()) << source.name << " is in no layer";
    for (const std::string_view header : included(source.text)) {
      // Headers of the standard library have neither a folder nor an ending.
      if (header.find_first_of("/.") == header.npos) continue;
      EXPECT_TRUE(std::ranges::any_of(
          layer->allowed, [&](std::string_view rule) { return is_allowed(header, rule); }))
          << source.name << " includes " << header << ", which is above its layer";
    }
  }
}

TEST(Layering, OneFileMapsMemoryByEigenAndOneFolderKnowsEmscripten) {
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
