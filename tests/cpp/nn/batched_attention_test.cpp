// Attention of a batch against the public function on each of its items, forward and backward, for
// every encoding of a text.

#include <gtest/gtest.h>

#include <cmath>

#include "nn/attention.h"
#include "numbers.h"
#include "phasor/attention.h"
#include "phasor/registry.h"
#include "results.h"

namespace phasor {
namespace {

using test::dyadic;
using test::value_of;

struct Sizes {
  int items = 3, tokens = 6, heads = 2, head_width = 4;
  bool causal = true;
};

// (items * tokens, width of all heads) -> (heads, tokens, head width) of one item
Tensor heads_of(const Tensor& qkv, const Sizes& s, int part, int item) {
  Tensor out({s.heads, s.tokens, s.head_width});
  for (int h = 0; h < s.heads; ++h) {
    for (int t = 0; t < s.tokens; ++t) {
      std::copy_n(matrix(qkv).row(item * s.tokens + t) + (part * s.heads + h) * s.head_width,
                  s.head_width, matrix(out, h).row(t));
    }
  }
  return out;
}

void expect_near(const Tensor& got, const Tensor& expected, const std::string& what) {
  ASSERT_EQ(got.shape, expected.shape) << what;
  for (std::size_t i = 0; i < got.data.size(); ++i) {
    ASSERT_NEAR(got.data[i], expected.data[i], 2e-5f * (1 + std::fabs(expected.data[i])))
        << what << "[" << i << "]";
  }
}

void expect_like_items(const EncodingConfig& config, const Sizes& s) {
  const std::string name = config.id + (s.causal ? " causal" : "");
  const Geometry geometry{.length = s.tokens, .width = s.head_width, .heads = s.heads};
  const auto encoding = value_of(create(config, geometry)),
             other = value_of(create(config, geometry));
  ASSERT_NE(encoding, nullptr) << name;
  const int rows = s.items * s.tokens, width = s.heads * s.head_width;
  Tensor qkv = dyadic(1, {rows, 3 * width});
  const Tensor d_out = dyadic(2, {rows, width});
  std::vector<double> positions, all;
  for (int t = 0; t < s.tokens; ++t) positions.push_back(t);
  for (int n = 0; n < s.items; ++n) all.insert(all.end(), positions.begin(), positions.end());
  const double scale = encoding->scale(s.head_width).value_or(1 / std::sqrt(s.head_width));
  const nn::AttentionJob job{.encoding = encoding.get(),
                             .size = {s.items, s.tokens},
                             .heads = s.heads,
                             .head_width = s.head_width,
                             .causal = s.causal,
                             .scale = scale,
                             .positions = positions,
                             .all_positions = all};
  nn::SavedAttention saved;
  nn::AttentionWorkspace work;
  Tensor out({rows, width}), d_qkv({rows, 3 * width}), streamed({rows, width});
  nn::attention(job, matrix(qkv), false, saved, work, matrix(streamed));
  work = {};
  nn::attention(job, matrix(qkv), true, saved, work, matrix(out));
  EXPECT_EQ(out.data, streamed.data) << name;
  nn::attention_backward(job, matrix(qkv), matrix(out), matrix(d_out), saved, work, matrix(d_qkv));
  for (int item = 0; item < s.items; ++item) {
    AttentionConfig call{.mask = s.causal ? Mask::causal : Mask::none};
    const Tensor q = heads_of(qkv, s, 0, item), k = heads_of(qkv, s, 1, item),
                 v = heads_of(qkv, s, 2, item);
    const auto forward = value_of(attention(q, k, v, *other, call));
    const auto gradients =
        value_of(attention_gradient(q, k, v, heads_of(d_out, s, 0, item), *other, call));
    expect_near(heads_of(out, s, 0, item), forward.output, name + " output");
    expect_near(heads_of(d_qkv, s, 0, item), gradients.d_q, name + " d_q");
    expect_near(heads_of(d_qkv, s, 1, item), gradients.d_k, name + " d_k");
    expect_near(heads_of(d_qkv, s, 2, item), gradients.d_v, name + " d_v");
  }
  const auto ours = encoding->parameters(), theirs = other->parameters();
  for (std::size_t p = 0; p < ours.size(); ++p)
    expect_near(ours[p]->grad, theirs[p]->grad, name + " " + std::string(ours[p]->name));
}

TEST(BatchedAttention, IsThatOfEachItem) {
  int tried = 0;
  for (const EncodingType* type : encodings()) {
    if (type->injection == Injection::input || type->axes > 1 || !type->tokens.empty()) continue;
    if (type->id == "dape") continue;  // of all heads together, which the trainer refuses
    for (const bool causal : {true, false})
      expect_like_items({.id = std::string(type->id)}, {.causal = causal});
    ++tried;
  }
  EXPECT_GE(tried, 12);
}

// More queries than a tile has.
TEST(BatchedAttention, CutsLongTextsIntoTiles) {
  for (const char* id : {"none", "rope", "t5", "cope", "shaw"})
    expect_like_items({.id = id}, {.items = 2, .tokens = 70, .heads = 1, .head_width = 4});
}

}  // namespace
}  // namespace phasor
