// Attention needs no N x N matrix beside its inputs and outputs.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>

#include "allocations.h"
#include "numbers.h"
#include "phasor/phasor.h"

namespace phasor::test {
namespace {

constexpr double kMegabyte = 1048576;

// Megabytes at the peak beyond the memory before and after the call.
template <class F>
double extra_memory(F&& call) {
  const std::size_t before = Allocations::current_bytes();
  Allocations::reset_peak();
  call();
  const std::size_t after = std::max(before, Allocations::current_bytes());
  return static_cast<double>(Allocations::peak_bytes() - after) / kMegabyte;
}

double forward(const AttentionConfig& config, int n, int head_dim) {
  Tensor q = dyadic(1, {1, n, head_dim}), k = dyadic(2, {1, n, head_dim});
  const Tensor v = dyadic(3, {1, n, head_dim});
  AttentionResult actual;
  // The call frees q and k and allocates the output.
  const double megabytes = extra_memory([&] {
    const Status status = attention(std::move(q), std::move(k), v, config).move_to(actual);
    EXPECT_TRUE(status.ok()) << status.message();
  });
  return megabytes - static_cast<double>(actual.output.data.size() * sizeof(float)) / kMegabyte;
}

double backward(const AttentionConfig& config, int n, int head_dim) {
  const std::vector<int> shape = {1, n, head_dim};
  const Tensor q = dyadic(1, shape), k = dyadic(2, shape), v = dyadic(3, shape),
               d_output = dyadic(4, shape);
  return extra_memory([&] {
    const Status status = attention_backward(q, k, v, d_output, config).status();
    EXPECT_TRUE(status.ok()) << status.message();
  });
}

std::vector<AttentionConfig> configs(const EncodingInfo& type) {
  std::vector<AttentionConfig> all;
  for (const bool causal : {false, true}) {
    AttentionConfig config;
    config.encoding.id = type.id;
    config.mask = causal ? Mask::causal : Mask::none;
    if (type.id == "relative_bias") config.encoding.params["beyond"] = std::string("clip");
    all.push_back(config);
  }
  return all;
}

// Sanitizers and scalar WebAssembly are too slow for more tokens.
#if defined(__SANITIZE_ADDRESS__) || (defined(__EMSCRIPTEN__) && !defined(__wasm_simd128__))
constexpr int kLong = 4096;
#else
constexpr int kLong = 16384;
#endif

// A score matrix of 4096 tokens would take 64 MB, of 16384 tokens 1024 MB.
TEST(AttentionMemory, OneHeadNeedsLessThanTwoMegabytes) {
  for (const char* id : {"none", "alibi", "t5", "rope", "shaw"}) {
    for (const AttentionConfig& config : configs(*find_encoding(id)))
      EXPECT_LT(forward(config, 4096, 64), 2.0) << id;
  }
  AttentionConfig config;
  config.mask = Mask::causal;
  EXPECT_LT(forward(config, kLong, 64), 2.0) << kLong << " tokens";
}

// Twice the tokens need at most twice the memory: a matrix of 1024 tokens would take 4 MB, three
// more than one of 512 tokens. Encodings may store a row for each key or distance: CoPE counts over
// whole rows, Transformer-XL projects a sinusoid for every distance.
TEST(AttentionMemory, GrowsAtMostLinearlyForEveryEncoding) {
  for (const EncodingInfo* type : encodings()) {
    if (type->injection == Injection::input || !type->tokens.empty()) continue;
    for (const AttentionConfig& config : configs(*type)) {
      EXPECT_LT(forward(config, 1024, 8), 2 * forward(config, 512, 8) + 0.1) << type->id;
      EXPECT_LT(backward(config, 1024, 8), 2 * backward(config, 512, 8) + 0.1) << type->id;
    }
  }
}

TEST(AttentionMemory, CountsAllocatedMatrices) {
  std::vector<float>* matrix = nullptr;
  EXPECT_LT(extra_memory([&] { matrix = new std::vector<float>(1 << 20); }), 0.01);
  EXPECT_GT(extra_memory([&] { delete matrix; }), -0.01);
  EXPECT_NEAR(extra_memory([] { std::vector<float>(1 << 20).front() = 1; }), 4.0, 0.01);
  AttentionConfig config;
  config.outputs.weights = true;
  EXPECT_GT(extra_memory([&] {
              const Tensor x({1, 1024, 8});
              EXPECT_TRUE(attention(x, x, x, config).ok());
            }),
            4.0);
}

}  // namespace
}  // namespace phasor::test
