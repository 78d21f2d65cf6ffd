// phasor_model_bench PATH: opens a model and prints the limits of one thread. For each input line
// {"ids": [1, 2], "count": 1} it prints the most probable tokens after the ids and the processor
// time in ms.

#include <algorithm>
#include <cstdio>
#include <iostream>
#include <string>
#include <vector>

#include "bandwidth.h"
#include "gemm_peers.h"
#include "phasor/model.h"
#include "turns.h"

namespace {

int report_error(const phasor::Status& status) {
  std::printf("{\"fails\":\"%s\"}\n", status.message().c_str());
  return 1;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  const auto model = phasor::open_model(argv[1]);
  if (!model.ok()) return report_error(model.status());
  std::vector<bench::Task> peaks;
  for (const bench::Peak& peak : bench::list_peaks()) peaks.push_back({peak.level, peak.run, {}});
  bench::time_tasks(peaks);
  double peak = 0;
  for (const bench::Task& task : peaks)
    peak = std::max(peak, bench::kPeakFlops / bench::median(task) / 1e6);
  std::printf("{\"limits\":{\"peak\":%.6g,\"bandwidth\":%.4g}}\n", peak,
              bench::measure_bandwidth());
  std::fflush(stdout);
  for (std::string line; std::getline(std::cin, line);) {
    const auto request = phasor::config_from_json(line);
    if (!request.ok()) return report_error(request.status());
    const auto& id_values = std::get<phasor::Tensor>(request->at("ids")).data;
    const std::vector<int> ids(id_values.begin(), id_values.end());
    const int count = static_cast<int>(std::get<double>(request->at("count")));
    const double start_time = bench::get_thread_time();
    const auto tokens = (*model)->generate(ids, {.max_new_tokens = count});
    const double elapsed = bench::get_thread_time() - start_time;
    if (!tokens.ok()) return report_error(tokens.status());
    std::printf("{\"processor\":%.6g,\"tokens\":[", elapsed);
    for (std::size_t i = 0; i < tokens->size(); ++i)
      std::printf(i > 0 ? ",%d" : "%d", (*tokens)[i]);
    std::printf("]}\n");
    std::fflush(stdout);
  }
  return 0;
}
