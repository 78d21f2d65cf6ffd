// Times native attention: float32, 8 heads of 64 channels. Each row has the best wall and processor
// time of a call, in ms. native_attention_peer.py prints the same rows for PyTorch.

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <ctime>

#include "phasor/phasor.h"

namespace {

constexpr int kHeads = 8, kHeadDim = 64;
constexpr double kSecondsOfRow = 0.5;

double get_processor_seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }
double get_clock_seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

void time_row(int tokens, bool causal, int threads, const char* separator) {
  const phasor::Tensor q = *phasor::random_normal(1, {kHeads, tokens, kHeadDim}),
                       k = *phasor::random_normal(2, {kHeads, tokens, kHeadDim}),
                       v = *phasor::random_normal(3, {kHeads, tokens, kHeadDim});
  const phasor::AttentionConfig config{.mask = causal ? phasor::Mask::causal : phasor::Mask::none,
                                       .options = {.threads = threads}};
  double min_clock = 1e30, min_processor = 1e30;
  const double end = get_clock_seconds() + kSecondsOfRow;
  for (int iteration = 0; iteration < 3 || get_clock_seconds() < end; ++iteration) {
    const double clock_start = get_clock_seconds(), processor_start = get_processor_seconds();
    const auto result = phasor::attention(q, k, v, config);
    if (!result.ok()) std::abort();
    min_processor = std::min(min_processor, get_processor_seconds() - processor_start);
    min_clock = std::min(min_clock, get_clock_seconds() - clock_start);
  }
  std::printf(
      "%s{\"tokens\": %d, \"causal\": %s, \"threads\": %d, \"clock\": %.3f, \"processor\": %.3f}",
      separator, tokens, causal ? "true" : "false", threads, 1e3 * min_clock, 1e3 * min_processor);
}

}  // namespace

int main() {
  const char* separator = "[";
  for (const int threads : {1, 2}) {
    for (const int tokens : {1024, 4096}) {
      for (const bool causal : {false, true}) {
        time_row(tokens, causal, threads, separator);
        separator = ",\n ";
      }
    }
  }
  std::puts("]");
}
