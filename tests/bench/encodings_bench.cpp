// Native encodings: the time of a sinusoidal table and of a rotation, without copies to JavaScript.

#include <benchmark/benchmark.h>

#include "phasor/phasor.h"

namespace {

void report_bytes(benchmark::State& state, const phasor::Tensor& t) {
  state.SetBytesProcessed(static_cast<std::int64_t>(state.iterations()) *
                          static_cast<std::int64_t>(t.data.size() * sizeof(float)));
}

void sinusoidal_table(benchmark::State& state) {
  const int length = static_cast<int>(state.range(0)), dim = static_cast<int>(state.range(1));
  const std::vector<double> positions = *phasor::consecutive_positions(0, length);
  phasor::Tensor table;
  for (auto _ : state) {
    table = *phasor::position_table({.id = "sinusoidal"}, positions, dim);
    benchmark::DoNotOptimize(table.data.data());
  }
  report_bytes(state, table);
}
BENCHMARK(sinusoidal_table)->Args({16384, 512})->Args({512, 512})->Unit(benchmark::kMillisecond);

void rope_rotation(benchmark::State& state) {
  const int heads = static_cast<int>(state.range(0)), tokens = static_cast<int>(state.range(1)),
            dim = static_cast<int>(state.range(2));
  const std::vector<double> positions = *phasor::consecutive_positions(0, tokens);
  phasor::Tensor x = *phasor::random_normal(1, {heads, tokens, dim});
  const phasor::EncodingConfig rope{.id = "rope",
                                    .params = {{"layout", std::string("half_split")}}};
  for (auto _ : state) {
    x = *phasor::apply_rotary(rope, phasor::Role::query, positions, std::move(x));
    benchmark::DoNotOptimize(x.data.data());
  }
  report_bytes(state, x);
}
BENCHMARK(rope_rotation)->Args({8, 4096, 64})->Args({8, 1024, 64})->Unit(benchmark::kMillisecond);

}  // namespace
