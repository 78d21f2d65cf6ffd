// Every public function that takes tensors rejects each whose shape and data disagree, by the name
// of the argument and before reading it; AddressSanitizer would report the read.

#include <gtest/gtest.h>

#include <functional>
#include <limits>

#include "numbers.h"
#include "phasor/phasor.h"
#include "results.h"

namespace phasor::test::tensor_arguments_test {
namespace {

constexpr int kHeads = 2, kTokens = 6, kDim = 8;
constexpr int kLargest = std::numeric_limits<int>::max();

std::vector<Tensor> disagreeing(const std::vector<int>& shape) {
  std::vector<int> negative = shape, huge = shape, larger = shape;
  negative.front() = -negative.front();
  for (int& extent : huge) extent = kLargest;
  for (int& extent : larger) extent = 64;
  return {Tensor(shape, {1, 2, 3}), Tensor(negative, {1, 2, 3}), Tensor(huge, {1, 2, 3}),
          Tensor(larger, {1, 2, 3}), Tensor(shape, {})};
}

struct TensorArgument {
  std::string function, name;
  std::vector<int> shape;
  std::function<Status(const Tensor&)> call;
};

const Tensor q = dyadic(1, {kHeads, kTokens, kDim}), batch = dyadic(2, {2, kHeads, kTokens, kDim}),
             x = dyadic(3, {kTokens, kDim}), square = dyadic(4, {kTokens, kTokens}),
             logits = dyadic(5, {kHeads, kTokens, kTokens}), table_of_cope = dyadic(6, {kDim, 4});
const std::vector<double> kPositions = positions_from(0, kTokens);
const std::vector<int> kOrder = {1, 0, 2, 3, 5, 4};
const EncodingDims kGeometry{.length = kTokens, .dim = kDim, .heads = kHeads};

std::string shape_message(std::string_view name, const Tensor& bad) {
  std::string words;
  for (const int extent : bad.shape) words += (words.empty() ? "" : " x ") + std::to_string(extent);
  return std::string(name) + ": has shape " + words + ", but " + std::to_string(bad.data.size()) +
         " values";
}

std::unique_ptr<Encoding> make_encoding(const char* id) {
  return value_of(create_encoding({.id = id}, kGeometry));
}

std::unique_ptr<KeyValueCache> cache() {
  return value_of(KeyValueCache::create(
      {.heads = kHeads, .kv_heads = kHeads, .head_dim = kDim, .max_length = 64}));
}

// One case per name: the tensor at its index is invalid, the others are valid.
void add_each(const std::string& function, const std::vector<int>& shape,
              const std::vector<std::string>& names,
              const std::function<Status(const std::vector<Tensor>&)>& call,
              std::vector<TensorArgument>& out) {
  for (std::size_t n = 0; n < names.size(); ++n) {
    out.push_back({function, names[n], shape, [=](const Tensor& bad) {
                     std::vector<Tensor> all(names.size(), dyadic(7, shape));
                     all[n] = bad;
                     return call(all);
                   }});
  }
}

std::vector<TensorArgument> attention_arguments() {
  std::vector<TensorArgument> all;
  for (const std::vector<int>& shape : {q.shape, batch.shape}) {
    add_each(
        "attention", shape, {"q", "k", "v"},
        [](const auto& t) { return attention(t[0], t[1], t[2], {}).status(); }, all);
    add_each(
        "attention of a live encoding", shape, {"q", "k", "v"},
        [](const auto& t) {
          return attention(t[0], t[1], t[2], *make_encoding("shaw"), {}).status();
        },
        all);
    add_each(
        "attention_gradient", shape, {"q", "k", "v", "d_output"},
        [](const auto& t) { return attention_backward(t[0], t[1], t[2], t[3], {}).status(); }, all);
    add_each(
        "attention_gradient of a live encoding", shape, {"q", "k", "v", "d_output"},
        [](const auto& t) {
          return attention_backward(t[0], t[1], t[2], t[3], *make_encoding("shaw"), {}).status();
        },
        all);
  }
  all.push_back({"attention_gradient", "forward.output", q.shape, [](const Tensor& bad) {
                   AttentionConfig config;
                   config.outputs.softmax_stats = true;
                   const auto encoding = make_encoding("none");
                   AttentionResult forward = value_of(attention(q, q, q, *encoding, config));
                   forward.output = bad;
                   return attention_backward(q, q, q, q, *encoding, config, &forward).status();
                 }});
  add_each(
      "decode", q.shape, {"q", "k", "v"},
      [](const auto& t) { return cache()->decode(t[0], t[1], t[2], {}).status(); }, all);
  add_each(
      "decode of the output alone", q.shape, {"q", "k", "v"},
      [](const auto& t) { return cache()->decode(t[0], t[1], t[2]).status(); }, all);
  const AttentionConfig alibi{.encoding = {.id = "alibi"}};
  add_each(
      "explain_bias", q.shape, {"q", "k"},
      [=](const auto& t) { return explain_bias(t[0], t[1], alibi, 0, 0, 0).status(); }, all);
  add_each(
      "explain_softmax", q.shape, {"q", "k"},
      [=](const auto& t) { return explain_softmax(t[0], t[1], alibi, 0, 0).status(); }, all);
  all.push_back({"self_attention", "x", x.shape, [](const Tensor& bad) {
                   return self_attention(bad, {.heads = kHeads}).status();
                 }});
  all.push_back({"layer_gradient", "x", x.shape, [](const Tensor& bad) {
                   return self_attention_backward(bad, x, {.heads = kHeads}).status();
                 }});
  all.push_back({"layer_gradient", "d_output", x.shape, [](const Tensor& bad) {
                   return self_attention_backward(x, bad, {.heads = kHeads}).status();
                 }});
  return all;
}

std::vector<TensorArgument> other_arguments() {
  const EncodingConfig rope{.id = "rope"};
  return {
      {"combine", "x", x.shape,
       [](const Tensor& bad) { return combine(bad, x, CombineMode::add).status(); }},
      {"combine", "table", x.shape,
       [](const Tensor& bad) { return combine(x, bad, CombineMode::concatenate).status(); }},
      {"apply_rotary", "x", q.shape,
       [=](const Tensor& bad) {
         return apply_rotary(rope, Role::query, kPositions, bad).status();
       }},
      {"rotate by a live encoding", "x", q.shape,
       [](const Tensor& bad) {
         return apply_rotary(*make_encoding("rope"), Role::key, kPositions, bad).status();
       }},
      {"relative_shift", "x", x.shape,
       [](const Tensor& bad) { return relative_shift(bad).status(); }},
      {"cope_bias", "q", q.shape,
       [](const Tensor& bad) { return cope_bias(bad, logits, table_of_cope).status(); }},
      {"cope_bias", "gate_logits", logits.shape,
       [](const Tensor& bad) { return cope_bias(q, bad, table_of_cope).status(); }},
      {"cope_bias", "pos_emb", table_of_cope.shape,
       [](const Tensor& bad) { return cope_bias(q, logits, bad).status(); }},
      {"similarity", "table", x.shape,
       [](const Tensor& bad) { return similarity(bad, SimilarityMetric::cosine).status(); }},
      {"distance_profile", "matrix", square.shape,
       [](const Tensor& bad) { return distance_profile(bad).status(); }},
      {"table_statistics", "table", x.shape,
       [](const Tensor& bad) { return table_statistics(bad).status(); }},
      {"spectrum", "table", x.shape, [](const Tensor& bad) { return spectrum(bad).status(); }},
      {"principal_components", "table", x.shape,
       [](const Tensor& bad) { return principal_components(bad, 2).status(); }},
      {"linear_probe", "table", x.shape,
       [](const Tensor& bad) { return linear_probe(bad, 1).status(); }},
      {"permutation_error", "before", x.shape,
       [](const Tensor& bad) { return permutation_error(bad, x, kOrder).status(); }},
      {"permutation_error", "after", x.shape,
       [](const Tensor& bad) { return permutation_error(x, bad, kOrder).status(); }},
      {"reorder", "x", x.shape,
       [](const Tensor& bad) { return permutation_test(bad, kOrder, {.heads = kHeads}).status(); }},
      {"relative_position_error", "q", x.shape,
       [=](const Tensor& bad) {
         return relative_position_error(rope, bad, x, kPositions).status();
       }},
      {"relative_position_error", "k", x.shape,
       [=](const Tensor& bad) {
         return relative_position_error(rope, x, bad, kPositions).status();
       }},
      {"shift_error", "table", square.shape,
       [](const Tensor& bad) { return shift_error(bad, square, 1).status(); }},
      {"shift_error", "shift", square.shape,
       [](const Tensor& bad) { return shift_error(square, bad, 1).status(); }},
  };
}

TEST(TensorArguments, AreRejectedByNameIfShapeAndDataDisagree) {
  std::vector<TensorArgument> all = attention_arguments();
  for (TensorArgument& argument : other_arguments()) all.push_back(std::move(argument));
  for (const TensorArgument& argument : all) {
    for (const Tensor& bad : disagreeing(argument.shape)) {
      SCOPED_TRACE(argument.function + " " + argument.name);
      const Status status = argument.call(bad);
      EXPECT_EQ(status.code(), StatusCode::invalid_argument);
      const std::string& message = status.message();
      EXPECT_TRUE(message.starts_with(argument.name + ": has shape") ||
                  message.starts_with("forward: shapes differ"))
          << message;
    }
  }
}

TEST(TensorArguments, ErrorsContainShapeAndCount) {
  EXPECT_EQ(similarity(Tensor({64, 64}, {1, 2, 3}), SimilarityMetric::dot).status().message(),
            "table: has shape 64 x 64, but 3 values");
  EXPECT_EQ(
      combine(Tensor({64, 64}, {1, 2, 3}), Tensor({64, 64}), CombineMode::add).status().message(),
      "x: has shape 64 x 64, but 3 values");
  EXPECT_EQ(similarity(Tensor({-2, 3}, {1, 2, 3}), SimilarityMetric::dot).status().message(),
            "table: has shape -2 x 3, but 3 values");
}

// Tensor parameters of every encoding, created alone and by a layer.
TEST(TensorArguments, OfEncodingsAreRejectedByParameterName) {
  int arrays = 0;
  for (const EncodingInfo* type : encodings()) {
    const std::unique_ptr<Encoding> whole =
        value_of(create_encoding({.id = std::string(type->id)}, kGeometry));
    for (const ParamInfo& spec : type->params) {
      if (spec.kind != ParamKind::tensor) continue;
      ++arrays;
      std::vector<int> shape = {64, 64};
      for (const Parameter* parameter : whole->parameters()) {
        if (parameter->name == spec.name) shape = parameter->value.shape;
      }
      for (const Tensor& bad : disagreeing(shape)) {
        if (bad.data.size() == numel(bad.shape)) continue;  // three values are valid for some
        const EncodingConfig config{.id = std::string(type->id),
                                    .params = {{std::string(spec.name), bad}}};
        const std::string expected = shape_message(spec.name, bad);
        EXPECT_EQ(create_encoding(config, kGeometry).status().message(), expected) << type->id;
        EXPECT_EQ(self_attention(x, {.heads = kHeads, .encoding = config}).status().message(),
                  expected)
            << type->id;
      }
    }
  }
  EXPECT_GT(arrays, 25);
}

TEST(TensorArguments, OfViewsAreRejectedIfTheyExceedTheirData) {
  const Tensor bad({64, 64}, {1, 2, 3});
  EXPECT_EQ(contiguous(view(bad)).status().message(),
            "data: has 3 values, but shape, strides and offset reach index 4095");
  EXPECT_EQ(split_heads(view(bad), 2).status().message(),
            "x.data: has 3 values, but shape, strides and offset reach index 4095");
  EXPECT_EQ(split_qkv(view(bad), {.heads = 1, .kv_heads = 1}).status().code(),
            StatusCode::invalid_argument);
  EXPECT_EQ(
      contiguous({.shape = {-1, 4}, .strides = {}, .offset = 0, .data = {}}).status().message(),
      "shape[0]: -1 is not a whole number from 0 to 2147483647");
  const int huge = kLargest;
  EXPECT_EQ(
      contiguous({.shape = {huge, huge, huge, huge}, .strides = {}, .offset = 0, .data = bad.data})
          .status()
          .code(),
      StatusCode::invalid_argument);
  EXPECT_EQ(random_normal(1, {-1, 4}).status().message(), "shape: -1 is outside 1 to 1048576");
}

}  // namespace
}  // namespace phasor::test::tensor_arguments_test
