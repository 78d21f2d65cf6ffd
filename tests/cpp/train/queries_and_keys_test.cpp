// Queries and keys of a model: the library's attention, which shares no code with that of the
// trainer, computes the trainer's attention weights from them.

#include <gtest/gtest.h>

#include "phasor/attention.h"
#include "phasor/registry.h"
#include "train/small_specs.h"

namespace phasor {
namespace {

using test::refusal_of;
using test::small_trainer;
using test::value_of;

const std::vector<int> kTokens = {3, 1, 4, 1, 5, 9};

// One layer of (layers, heads, tokens, head_dim), as (heads, tokens, head_dim).
Tensor slice_layer(const Tensor& values, int layer) {
  const std::vector<int> shape(values.shape.begin() + 1, values.shape.end());
  Tensor out(shape);
  const auto size = static_cast<std::ptrdiff_t>(out.data.size());
  std::copy_n(values.data.begin() + layer * size, size, out.data.begin());
  return out;
}

class QueriesAndKeysOf : public testing::TestWithParam<const EncodingInfo*> {};

TEST_P(QueriesAndKeysOf, ReproduceTheAttentionWeights) {
  const EncodingConfig encoding{.id = std::string(GetParam()->id)};
  const auto trainer = small_trainer(encoding, {{"embed_dim", 16.0}});
  value_of(trainer->step(3));
  const QueriesAndKeys actual = value_of(trainer->queries_and_keys(kTokens));
  ASSERT_EQ(actual.q.shape, (std::vector<int>{2, 2, 6, 8}));
  ASSERT_EQ(actual.k.shape, actual.q.shape);
  const Tensor maps = value_of(trainer->attention_weights(kTokens));
  const TrainConfig& spec = trainer->config();
  AttentionConfig config{.mask = spec.causal ? Mask::causal : Mask::none,
                         .outputs = {.weights = true}};
  // Input encodings are already part of the embeddings.
  if (GetParam()->injection != Injection::input) config.encoding = spec.encoding;
  for (const auto& [name, tensor] : trainer->weights()) {
    if (config.encoding.id == spec.encoding.id && name.starts_with("encoding."))
      config.encoding.params[name.substr(9)] = tensor;
  }
  for (int layer = 0; layer < spec.layers; ++layer) {
    const Tensor k = slice_layer(actual.k, layer);
    const AttentionResult created = value_of(attention(slice_layer(actual.q, layer), k, k, config));
    const Tensor expected = slice_layer(maps, layer);
    ASSERT_EQ(created.weights.shape, expected.shape);
    for (std::size_t n = 0; n < expected.data.size(); ++n)
      ASSERT_NEAR(created.weights.data[n], expected.data[n], 2e-6)
          << "layer " << layer << ", " << n;
  }
}

std::vector<const EncodingInfo*> trained_encodings() {
  std::vector<const EncodingInfo*> out;
  for (const EncodingInfo* type : encodings())
    if (type->axes == 1 && type->tokens.empty() && type->id != "nerf" && type->id != "dape")
      out.push_back(type);
  return out;
}

INSTANTIATE_TEST_SUITE_P(All, QueriesAndKeysOf, testing::ValuesIn(trained_encodings()),
                         [](const auto& each) { return std::string(each.param->id); });

// Sinks take a share of every row of weights.
TEST(QueriesAndKeys, IncludeQkNorm) {
  const auto trainer =
      small_trainer({.id = "rope"}, {{"embed_dim", 16.0}, {"qk_norm", true}, {"sinks", true}});
  value_of(trainer->step(5));
  const QueriesAndKeys actual = value_of(trainer->queries_and_keys(kTokens));
  const Tensor maps = value_of(trainer->attention_weights(kTokens));
  for (int layer = 0; layer < trainer->config().layers; ++layer) {
    AttentionConfig config{
        .encoding = {.id = "rope"}, .mask = Mask::causal, .outputs = {.weights = true}};
    config.options.sinks =
        trainer->weights().at("layers." + std::to_string(layer) + ".attention.sinks");
    const Tensor k = slice_layer(actual.k, layer), expected = slice_layer(maps, layer);
    const AttentionResult created = value_of(attention(slice_layer(actual.q, layer), k, k, config));
    for (std::size_t n = 0; n < expected.data.size(); ++n)
      ASSERT_NEAR(created.weights.data[n], expected.data[n], 2e-6)
          << "layer " << layer << ", " << n;
  }
}

TEST(QueriesAndKeys, PrecedeTheEncoding) {
  // In the first layer, only the encoding could make equal tokens differ.
  const QueriesAndKeys actual =
      value_of(small_trainer({.id = "rope"})->queries_and_keys(std::vector<int>{2, 2, 2}));
  const int head_dim = actual.q.shape[3];
  for (int n = 0; n < 2 * head_dim; ++n) {
    EXPECT_EQ(actual.q.data[static_cast<std::size_t>(n)],
              actual.q.data[static_cast<std::size_t>(n % head_dim)]);
  }
}

TEST(QueriesAndKeys, RejectInvalidTokensAndModelsWithoutAttention) {
  const auto trainer = small_trainer({.id = "rope"});
  EXPECT_EQ(refusal_of(trainer->queries_and_keys({}).status()), "tokens: is empty");
  EXPECT_EQ(refusal_of(trainer->queries_and_keys(std::vector<int>{1, 99}).status()),
            refusal_of(trainer->attention_weights(std::vector<int>{1, 99}).status()));
  const TrainConfig image = [] {
    TrainConfig spec = value_of(make_train_config("image", {}, {.id = "fourier"}));
    spec.image = Tensor({2, 2, 3});
    return spec;
  }();
  EXPECT_EQ(refusal_of(value_of(Trainer::create(image))->queries_and_keys(kTokens).status()),
            "tokens: the image network has no attention");
}

}  // namespace
}  // namespace phasor
