// run_model FOLDER: runs a checkpoint on the texts of the input, token ids on one line each, and
// writes a line of JSON per text.

#include <cstdio>
#include <iostream>
#include <sstream>
#include <string>
#include <vector>

#include "phasor/model.h"

namespace {

void write(const phasor::Tensor& t) {
  std::printf("{\"shape\":[");
  for (std::size_t i = 0; i < t.shape.size(); ++i) std::printf(i > 0 ? ",%d" : "%d", t.shape[i]);
  std::printf("],\"data\":[");
  for (std::size_t i = 0; i < t.data.size(); ++i)
    std::printf(i > 0 ? ",%.9g" : "%.9g", static_cast<double>(t.data[i]));
  std::printf("]}");
}

void write(const char* name, const std::vector<phasor::Tensor>& tensors) {
  std::printf("\"%s\":[", name);
  for (std::size_t i = 0; i < tensors.size(); ++i) {
    if (i > 0) std::printf(",");
    write(tensors[i]);
  }
  std::printf("]");
}

int fail(const phasor::Status& status) {
  std::fprintf(stderr, "%s\n", status.message().c_str());
  return 1;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  const auto model = phasor::open_model(argv[1]);
  if (!model.ok()) return fail(model.status());
  for (std::string line; std::getline(std::cin, line);) {
    std::istringstream words(line);
    std::vector<int> ids;
    for (int id = 0; words >> id;) ids.push_back(id);
    const phasor::RunConfig config{.output_hidden_states = true, .output_attentions = true};
    const auto out = (*model)->run(ids, config);
    if (!out.ok()) return fail(out.status());
    std::printf("{");
    write("hiddenStates", out->hidden_states);
    std::printf(",");
    write("attentions", out->attentions);
    std::printf("}\n");
  }
  return 0;
}
