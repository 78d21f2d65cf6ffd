// phasor_golden DIR [--allow-unknown] [--json FILE] [--level LEVEL]: runs every case of every
// golden file in DIR with the public library. A case with an unknown method, parameter, input or
// output fails and is reported. --allow-unknown accepts unknown methods (the counts do not change);
// --json writes one entry per case, so that builds can be compared; --level limits the kernels to
// LEVEL (kernels/isa.h).

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <optional>

#include "golden_case.h"
#include "kernels/isa.h"

#define GOLDEN_USE(id)           \
  namespace golden::family::id { \
  GOLDEN_FAMILY(id);             \
  }
#include "golden_families.inc"
#undef GOLDEN_USE

namespace {

using golden::Json;

const golden::Method* find_method(const std::string& name) {
  const std::span<const golden::Method> families[] = {
#define GOLDEN_USE(id) golden::family::id::methods_of_##id(),
#include "golden_families.inc"
#undef GOLDEN_USE
  };
  for (const auto& family : families) {
    for (const golden::Method& method : family) {
      if (name == method.name) return &method;
    }
  }
  return nullptr;
}

struct Report {
  int passed = 0, failed = 0, unknown = 0;
  Json cases = Json::array();

  void add(const std::string& file, const std::string& id, const std::string& method,
           const std::string& reason) {
    ++(reason.empty() ? passed : failed);
    if (!reason.empty()) std::cout << file << " " << id << ": " << reason << "\n";
    cases.push_back({{"file", file}, {"id", id}, {"method", method}, {"why", reason}});
  }
};

std::string text_of(const Json& entry, const char* name) {
  return entry.is_object() && entry.contains(name) && entry[name].is_string()
             ? entry[name].get<std::string>()
             : "";
}

void run_file(const std::filesystem::path& path, Report& report) {
  const std::string file = path.filename().string();
  std::ifstream stream(path);
  const std::string text{std::istreambuf_iterator<char>(stream), {}};
  const Json document = Json::parse(text, nullptr, false);
  if (document.is_discarded()) return report.add(file, "(file)", "", "cannot be read as JSON");
  if (text_of(document, "schema") != "phasor-golden-1")
    return report.add(file, "(file)", "", "is not of the schema phasor-golden-1");
  if (!document.contains("cases") || !document["cases"].is_array() || document["cases"].empty())
    return report.add(file, "(file)", "", "has no cases");
  const Json tensors = document.contains("tensors") && document["tensors"].is_object()
                           ? document["tensors"]
                           : Json::object();
  for (const Json& entry : document["cases"]) {
    const std::string id = text_of(entry, "id"), name = text_of(entry, "method");
    const golden::Method* method = find_method(name);
    if (method == nullptr) {
      ++report.unknown;
      report.add(file, id, name, "unknown method " + name);
      continue;
    }
    golden::Case test_case(entry, tensors);
    method->run(test_case);
    report.add(file, id, name, test_case.verdict());
  }
}

}  // namespace

int main(int argc, char** argv) {
  std::filesystem::path folder;
  std::string json_file;
  bool allow_unknown = false;
  std::optional<phasor::kernels::LevelLimit> limit;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    if (word == "--allow-unknown") {
      allow_unknown = true;
    } else if (word == "--json" && i + 1 < argc) {
      json_file = argv[++i];
    } else if (word == "--level" && i + 1 < argc) {
      const std::string name = argv[++i];
      for (const phasor::kernels::IsaLevel level : phasor::kernels::kLevels) {
        if (name == phasor::kernels::level_name(level)) limit.emplace(level);
      }
      if (!limit) {
        std::cerr << "--level: " << name << " is not a level\n";
        return 2;
      }
    } else {
      folder = word;
    }
  }
  std::vector<std::filesystem::path> files;
  std::error_code error;
  for (std::filesystem::directory_iterator entry(folder, error), end; !error && entry != end;
       entry.increment(error)) {
    if (entry->path().extension() == ".json") files.push_back(entry->path());
  }
  if (error || files.empty()) {
    std::cerr << "no golden files in \"" << folder.string() << "\" "
              << (error ? error.message() : "") << "\n";
    return 2;
  }
  std::sort(files.begin(), files.end());
  Report report;
  for (const auto& file : files) run_file(file, report);
  if (!json_file.empty()) std::ofstream(json_file) << report.cases.dump();
  std::cout << report.passed << " passed, " << report.failed << " failed" << std::endl;
  return report.failed > (allow_unknown ? report.unknown : 0) ? 1 : 0;
}
