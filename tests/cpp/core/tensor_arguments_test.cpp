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

std::vector<Tensor> other_shapes(const std::vector<int>& shape) {
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

std::string shape_message(std::string_view name, const Tensor& tensor) {
  std::string shape_text;
  for (const int extent : tensor.shape)
    shape_text += (shape_text.empty() ? "" : " x ") + std::to_string(extent);
  return std::string(name) + ": has shape " + shape_text + ", but " +
         std::to_string(tensor.data.size()) + " values";
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
    out.push_back({function, names[n], shape, [=](const Tensor& tensor) {
                     std::vector<Tensor> all(names.size(), dyadic(7, shape));
                     all[n] = tensor;
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
  all.push_back({"attention_gradient", "forward.output", q.shape, [](const Tensor& tensor) {
                   AttentionConfig config;
                   config.outputs.softmax_stats = true;
                   const auto encoding = make_encoding("none");
                   AttentionResult forward = value_of(attention(q, q, q, *encoding, config));
                   forward.output = tensor;
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
  all.push_back({"self_attention", "x", x.shape, [](const Tensor& tensor) {
                   return self_attention(tensor, {.heads = kHeads}).status();
                 }});
  all.push_back({"layer_gradient", "x", x.shape, [](const Tensor& tensor) {
                   return self_attention_backward(tensor, x, {.heads = kHeads}).status();
                 }});
  all.push_back({"layer_gradient", "d_output", x.shape, [](const Tensor& tensor) {
                   return self_attention_backward(x, tensor, {.heads = kHeads}).status();
                 }});
  return all;
}

std::vector<TensorArgument> other_arguments() {
  const EncodingConfig rope{.id = "rope"};
  return {
      {"combine", "x", x.shape,
       [](const Tensor& tensor) { return combine(tensor, x, CombineMode::add).status(); }},
      {"combine", "table", x.shape,
       [](const Tensor& tensor) { return combine(x, tensor, CombineMode::concatenate).status(); }},
      {"apply_rotary", "x", q.shape,
       [=](const Tensor& tensor) {
         return apply_rotary(rope, Role::query, kPositions, tensor).status();
       }},
      {"rotate by a live encoding", "x", q.shape,
       [](const Tensor& tensor) {
         return apply_rotary(*make_encoding("rope"), Role::key, kPositions, tensor).status();
       }},
      {"relative_shift", "x", x.shape,
       [](const Tensor& tensor) { return relative_shift(tensor).status(); }},
      {"cope_bias", "q", q.shape,
       [](const Tensor& tensor) { return cope_bias(tensor, logits, table_of_cope).status(); }},
      {"cope_bias", "gate_logits", logits.shape,
       [](const Tensor& tensor) { return cope_bias(q, tensor, table_of_cope).status(); }},
      {"cope_bias", "pos_emb", table_of_cope.shape,
       [](const Tensor& tensor) { return cope_bias(q, logits, tensor).status(); }},
      {"similarity", "table", x.shape,
       [](const Tensor& tensor) { return similarity(tensor, SimilarityMetric::cosine).status(); }},
      {"distance_profile", "matrix", square.shape,
       [](const Tensor& tensor) { return distance_profile(tensor).status(); }},
      {"table_statistics", "table", x.shape,
       [](const Tensor& tensor) { return table_statistics(tensor).status(); }},
      {"spectrum", "table", x.shape,
       [](const Tensor& tensor) { return spectrum(tensor).status(); }},
      {"principal_components", "table", x.shape,
       [](const Tensor& tensor) { return principal_components(tensor, 2).status(); }},
      {"linear_probe", "table", x.shape,
       [](const Tensor& tensor) { return linear_probe(tensor, 1).status(); }},
      {"permutation_error", "before", x.shape,
       [](const Tensor& tensor) { return permutation_error(tensor, x, kOrder).status(); }},
      {"permutation_error", "after", x.shape,
       [](const Tensor& tensor) { return permutation_error(x, tensor, kOrder).status(); }},
      {"reorder", "x", x.shape,
       [](const Tensor& tensor) {
         return permutation_test(tensor, kOrder, {.heads = kHeads}).status();
       }},
      {"relative_position_error", "q", x.shape,
       [=](const Tensor& tensor) {
         return relative_position_error(rope, tensor, x, kPositions).status();
       }},
      {"relative_position_error", "k", x.shape,
       [=](const Tensor& tensor) {
         return relative_position_error(rope, x, tensor, kPositions).status();
       }},
      {"shift_error", "table", square.shape,
       [](const Tensor& tensor) { return shift_error(tensor, square, 1).status(); }},
      {"shift_error", "shift", square.shape,
       [](const Tensor& tensor) { return shift_error(square, tensor, 1).status(); }},
  };
}

TEST(TensorArguments, AreRejectedByNameIfShapeAndDataDisagree) {
  std::vector<TensorArgument> all = attention_arguments();
  for (TensorArgument& argument : other_arguments()) all.push_back(std::move(argument));
  for (const TensorArgument& argument : all) {
    for (const Tensor& tensor : other_shapes(argument.shape)) {
      SCOPED_TRACE(argument.function + " " + argument.name);
      const Status status = argument.call(tensor);
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
    const std::unique_ptr<Encoding> full_encoding =
        value_of(create_encoding({.id = std::string(type->id)}, kGeometry));
    for (const ParamInfo& spec : type->params) {
      if (spec.kind != ParamKind::tensor) continue;
      ++arrays;
      std::vector<int> shape = {64, 64};
      for (const Parameter* parameter : full_encoding->parameters()) {
        if (parameter->name == spec.name) shape = parameter->value.shape;
      }
      for (const Tensor& tensor : other_shapes(shape)) {
        if (tensor.data.size() == numel(tensor.shape)) continue;  // three values are valid for some
        const EncodingConfig config{.id = std::string(type->id),
                                    .params = {{std::string(spec.name), tensor}}};
        const std::string expected = shape_message(spec.name, tensor);
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
  const Tensor tensor({64, 64}, {1, 2, 3});
  EXPECT_EQ(contiguous(view(tensor)).status().message(),
            "data: has 3 values, but shape, strides and offset reach index 4095");
  EXPECT_EQ(split_heads(view(tensor), 2).status().message(),
            "x.data: has 3 values, but shape, strides and offset reach index 4095");
  EXPECT_EQ(split_qkv(view(tensor), {.heads = 1, .kv_heads = 1}).status().code(),
            StatusCode::invalid_argument);
  EXPECT_EQ(
      contiguous({.shape = {-1, 4}, .strides = {}, .offset = 0, .data = {}}).status().message(),
      "shape[0]: -1 is not a whole number from 0 to 2147483647");
  const int huge = kLargest;
  EXPECT_EQ(
      contiguous(
          {.shape = {huge, huge, huge, huge}, .strides = {}, .offset = 0, .data = tensor.data})
          .status()
          .code(),
      StatusCode::invalid_argument);
  EXPECT_EQ(random_normal(1, {-1, 4}).status().message(), "shape: -1 is outside 1 to 1048576");
}

}  // namespace
}  // namespace phasor::test::tensor_arguments_test
