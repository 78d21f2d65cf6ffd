// Native attention beside a plain implementation with Eigen: a full score matrix for each head.

#include <benchmark/benchmark.h>

#include <Eigen/Core>
#include <cmath>

#include "phasor/phasor.h"

namespace {

using Matrix = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

constexpr int kHeads = 8, kHeadDim = 64;

phasor::Tensor make_tensor(std::uint32_t seed, int tokens) {
  return *phasor::random_normal(seed, {kHeads, tokens, kHeadDim});
}

void report_flops(benchmark::State& state, int n) {
  state.counters["GFLOP/s"] = benchmark::Counter(
      4.0 * kHeads * n * n * kHeadDim * static_cast<double>(state.iterations()) / 1e9,
      benchmark::Counter::kIsRate);
}

void phasor_attention(benchmark::State& state) {
  const int n = static_cast<int>(state.range(0));
  const phasor::Tensor q = make_tensor(1, n), k = make_tensor(2, n), v = make_tensor(3, n);
  for (auto _ : state) {
    const auto result = phasor::attention(q, k, v, {});
    benchmark::DoNotOptimize(result->output.data.data());
  }
  report_flops(state, n);
}
BENCHMARK(phasor_attention)->Arg(128)->Arg(512)->Arg(1024)->Unit(benchmark::kMillisecond);

void eigen_full_scores(benchmark::State& state) {
  const int n = static_cast<int>(state.range(0));
  const phasor::Tensor q = make_tensor(1, n), k = make_tensor(2, n), v = make_tensor(3, n);
  const auto head_matrix = [n](const phasor::Tensor& t, int h) {
    return Eigen::Map<const Matrix>(t.data.data() + static_cast<std::ptrdiff_t>(h) * n * kHeadDim,
                                    n, kHeadDim);
  };
  Matrix output(n, kHeadDim);
  for (auto _ : state) {
    for (int h = 0; h < kHeads; ++h) {
      Matrix scores = head_matrix(q, h) * head_matrix(k, h).transpose() /
                      std::sqrt(static_cast<float>(kHeadDim));
      scores.colwise() -= scores.rowwise().maxCoeff().eval();
      scores = scores.array().exp();
      const Eigen::VectorXf row_sums = scores.rowwise().sum();
      scores = row_sums.cwiseInverse().asDiagonal() * scores;
      output.noalias() = scores * head_matrix(v, h);
      benchmark::DoNotOptimize(output.data());
    }
  }
  report_flops(state, n);
}
BENCHMARK(eigen_full_scores)->Arg(128)->Arg(512)->Arg(1024)->Unit(benchmark::kMillisecond);

}  // namespace
