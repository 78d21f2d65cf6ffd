// Attention with an encoding object, built in or defined by the caller.
#include <gtest/gtest.h>

#include <cmath>
#include <type_traits>
#include <utility>

#include "learned.h"
#include "live_call.h"
#include "numbers.h"
#include "phasor/phasor.h"
#include "results.h"
#include "variants.h"

namespace phasor::test::live {
namespace {

// An encoding defined by the caller: a penalty of half the distance.
class HalfDistance final : public Parameterless<ScoreEncoding> {
 public:
  void add_bias(int, Positions queries, Positions keys, MatrixRef tile) const override {
    for (int r = 0; r < tile.rows; ++r) {
      for (int c = 0; c < tile.columns; ++c)
        tile.row(r)[c] -= static_cast<float>(std::fabs(queries[r] - keys[c]) / 2);
    }
  }
};

// A class that lacks a function of its injection point is abstract.
class WithoutBias : public Parameterless<ScoreEncoding> {};
class WithoutBackward : public ScoreEncoding {
  std::vector<Parameter*> parameters() override { return {}; }
  void add_bias(int, Positions, Positions, MatrixRef) const override {}
};
class WithoutParameters : public TableEncoding {
  void table(Positions, MatrixRef) const override {}
  void table_backward(Positions, ConstMatrixRef) override {}
};
class WithoutValues : public KeyValueEncoding {
  std::vector<Parameter*> parameters() override { return {}; }
  void add_content(const ContentTile&, MatrixRef) const override {}
  void content_backward(const ContentTile&, ConstMatrixRef, ConstMatrixRef, MatrixRef,
                        MatrixRef) override {}
};
static_assert(!std::is_abstract_v<HalfDistance>);
static_assert(std::is_abstract_v<WithoutBias>);
static_assert(std::is_abstract_v<WithoutBackward>);
static_assert(std::is_abstract_v<WithoutParameters>);
static_assert(std::is_abstract_v<WithoutValues>);
static_assert(HalfDistance::kInjection == Injection::score);

TEST(EncodingObject, HasTheInterfaceOfItsInjectionPoint) {
  for (const Variant& variant : every_variant()) {
    const auto created = create_encoding(variant.config, {.length = 7, .dim = 8, .heads = 2});
    ASSERT_TRUE(created.ok()) << variant.name;
    const Encoding& encoding = **created;
    EXPECT_EQ(encoding.injection(), variant.type->injection) << variant.name;
    EXPECT_EQ(encoding.id, variant.type->id);
    const Injection injection = encoding.injection();
    EXPECT_EQ(encoding.as_table() != nullptr, injection == Injection::input) << variant.name;
    EXPECT_EQ(encoding.as_query_key() != nullptr, injection == Injection::query_key)
        << variant.name;
    EXPECT_EQ(encoding.as_score_bias() != nullptr, injection == Injection::score) << variant.name;
    if (injection != Injection::score) {
      EXPECT_EQ(encoding.is_content_dependent(),
                injection == Injection::score_content || injection == Injection::key_value)
          << variant.name;
    }
    EXPECT_EQ(encoding.as_value_bias() != nullptr, injection == Injection::key_value)
        << variant.name;
  }
}

TEST(EncodingObject, MatchesAnEncodingCreatedForEachCall) {
  int compared = 0;
  for (const Variant& variant : every_variant()) {
    if (variant.type->injection == Injection::input || !accepts(variant, kGeometry)) continue;
    SCOPED_TRACE(variant.name);
    AttentionConfig config = causal();
    config.encoding = variant.config;
    const auto expected = attention(q, k, v, config);
    const auto gradients = attention_backward(q, k, v, d_output, config);
    ASSERT_OK_AND_ASSIGN(std::unique_ptr<Encoding> encoding,
                         create_encoding(variant.config, kGeometry));
    for (int pass = 0; pass < 2; ++pass) {
      AttentionConfig stats_config = causal();
      stats_config.outputs.softmax_stats = true;
      const auto actual = attention(q, k, v, *encoding, stats_config);
      ASSERT_EQ(actual.ok(), expected.ok());
      if (!actual.ok()) break;
      EXPECT_EQ(actual->output.data, expected->output.data);
      for (Parameter* parameter : encoding->parameters()) parameter->zero_grad();
      const auto backward = attention_backward(q, k, v, d_output, *encoding, causal(),
                                               pass == 0 ? nullptr : &*actual);
      ASSERT_TRUE((backward).ok());
      EXPECT_EQ(backward->d_q.data, gradients->d_q.data);
      EXPECT_EQ(backward->d_k.data, gradients->d_k.data);
      EXPECT_EQ(backward->d_v.data, gradients->d_v.data);
      for (const auto& [name, gradient] : learned_gradients(*encoding))
        EXPECT_EQ(gradient.data, gradients->parameters.at(name).data) << name;
      ++compared;
    }
  }
  EXPECT_GT(compared, 60);
}

TEST(EncodingObject, ChangedParametersMatchProvidedParameters) {
  int changed_count = 0;
  for (const Variant& variant : every_variant()) {
    if (variant.type->injection == Injection::input || !accepts(variant, kGeometry)) continue;
    SCOPED_TRACE(variant.name);
    ASSERT_OK_AND_ASSIGN(std::unique_ptr<Encoding> encoding,
                         create_encoding(variant.config, kGeometry));
    AttentionConfig config = causal();
    config.encoding = variant.config;
    for (Parameter* parameter : encoding->parameters()) {
      for (float& x : parameter->value.data) x *= 0.75f;
      config.encoding.params[parameter->name] = parameter->value;
      ++changed_count;
    }
    ASSERT_TRUE(encoding->parameters_changed().ok());
    const auto expected = attention(q, k, v, config);
    const auto actual = attention(q, k, v, *encoding, causal());
    ASSERT_EQ(actual.ok(), expected.ok());
    if (!actual.ok()) continue;
    EXPECT_EQ(actual->output.data, expected->output.data);
  }
  EXPECT_GT(changed_count, 20);
}

TEST(EncodingObject, AcceptsAClassDefinedByTheCaller) {
  AttentionConfig alibi = causal();
  alibi.encoding = {.id = "alibi", .params = {{"slopes", Tensor({kHeads}, {0.5f, 0.5f})}}};
  const Tensor expected = value_of(attention(q, k, v, alibi)).output,
               actual = value_of(attention(q, k, v, HalfDistance(), causal())).output;
  EXPECT_LT(
      largest_error(actual.data, std::vector<double>(expected.data.begin(), expected.data.end())),
      1e-6);
  HalfDistance half_distance;
  EXPECT_TRUE((attention_backward(q, k, v, d_output, half_distance, causal())).ok());
}

TEST(EncodingObject, RejectsCallsOfOtherSizes) {
  const auto message = [](EncodingDims geometry, AttentionConfig config = causal()) {
    const auto encoding = create_encoding({.id = "alibi"}, geometry);
    EXPECT_TRUE((encoding).ok());
    return attention(q, k, v, **encoding, config).status().message();
  };
  EXPECT_EQ(message(kGeometry), "");
  EncodingDims dims = kGeometry;
  dims.heads = 4;
  EXPECT_EQ(message(dims), "encoding: alibi was created for heads: 4, but the call has 2");
  dims = kGeometry;
  dims.dim = 16;
  EXPECT_EQ(message(dims),
            "encoding: alibi was created for channels of a head: 16, but the call has 8");
  dims = kGeometry;
  dims.v_head_dim = 5;
  EXPECT_EQ(message(dims),
            "encoding: alibi was created for channels of a value: 5, but the call has 8");
  dims = kGeometry;
  dims.kv_heads = 1;
  EXPECT_EQ(message(dims), "encoding: alibi was created for heads of keys: 1, but the call has 2");
  dims = kGeometry;
  dims.length = 39;
  EXPECT_EQ(message(dims), "encoding: alibi was created for keys: at most 39, but the call has 40");
  dims = kGeometry;
  dims.scale = 0.5;
  EXPECT_EQ(message(dims), "scale: alibi was created with a different scale");
  AttentionConfig combined_config = causal();
  combined_config.encoding.id = "rope";
  EXPECT_EQ(message(kGeometry, combined_config),
            "encoding: rope in the configuration cannot be combined with an existing encoding");

  ASSERT_OK_AND_ASSIGN(std::unique_ptr<Encoding> table,
                       create_encoding({.id = "sinusoidal"}, kGeometry));
  EXPECT_EQ(attention(q, k, v, *table, causal()).status().message(),
            "encoding: sinusoidal is added to the embeddings before attention; use self_attention, "
            "or add "
            "its table yourself");
}

// An encoding is created with the defaults of the fields that EncodingDims leaves out.
TEST(EncodingObject, RejectsCallsThatDifferFromTheDefaultSizes) {
  const auto message = [](const char* id, Params params, EncodingDims geometry, const Tensor& keys,
                          const Tensor& values, std::optional<double> scale = {}) {
    const auto encoding = create_encoding({.id = id, .params = std::move(params)}, geometry);
    EXPECT_TRUE(encoding.ok());
    AttentionConfig config = causal();
    config.scale = scale;
    return attention(q, keys, values, **encoding, config).status().message();
  };
  const EncodingDims default_dims{.length = kTokens, .dim = kHeadDim, .heads = kHeads};
  const Tensor one_head = dyadic(305, {1, kTokens, kHeadDim}),
               wide_values = dyadic(306, {kHeads, kTokens, 2 * kHeadDim});
  EXPECT_EQ(message("shaw", {}, default_dims, k, v), "");
  EXPECT_EQ(message("shaw", {}, default_dims, k, wide_values),
            "encoding: shaw was created for channels of a value: 8, but the call has 16");
  EXPECT_EQ(message("rope_mixed", {}, default_dims, one_head, one_head),
            "encoding: rope_mixed was created for heads of keys: 2, but the call has 1");
  const Params inside_params = {{"placement", std::string("inside")}};
  EXPECT_EQ(message("relative_bias", inside_params, default_dims, k, v), "");
  EXPECT_EQ(message("relative_bias", inside_params, default_dims, k, v, 0.5),
            "scale: relative_bias was created without a scale");
  EncodingDims grid_dims = default_dims;
  grid_dims.axes = 2;
  EXPECT_EQ(message("rope_2d", {}, grid_dims, k, v),
            "encoding: rope_2d was created for coordinates per position: 2, but the call has 1");
}

TEST(EncodingObject, RejectsInvalidParameterValuesAndShapes) {
  ASSERT_OK_AND_ASSIGN(std::unique_ptr<Encoding> encoding,
                       create_encoding({.id = "t5"}, kGeometry));
  Parameter& table = *encoding->parameters().at(0);
  const auto message = [&] { return attention(q, k, v, *encoding, causal()).status().message(); };
  EXPECT_EQ(message(), "");
  const float first_value = std::exchange(table.value.data[0], NAN);
  EXPECT_EQ(message(), "table[0]: NaN is not a finite number");
  table.value.data[0] = first_value;
  table.value.data.pop_back();
  EXPECT_EQ(message(), "table: has shape 32 x 2, but 63 values");
  table.value = Tensor({16, 2});
  EXPECT_EQ(message(), "table: has shape 16 x 2, but t5 was created with 32 x 2");
}

TEST(EncodingObject, EveryFunctionRejectsInvalidParameters) {
  ASSERT_OK_AND_ASSIGN(std::unique_ptr<Encoding> learned,
                       create_encoding({.id = "learned"}, {.dim = kHeadDim}));
  learned->parameters().at(0)->value.data.resize(3);
  EXPECT_EQ(position_table(*learned, std::vector<double>{1}, kHeadDim).status().message(),
            "table: has shape 512 x 8, but 3 values");
  ASSERT_OK_AND_ASSIGN(std::unique_ptr<Encoding> shaw, create_encoding({.id = "shaw"}, kGeometry));
  shaw->parameters().at(0)->value.data.resize(3);
  EXPECT_EQ(shaw->parameters_changed().message(), "table_k: has shape 33 x 8, but 3 values");
  ASSERT_OK_AND_ASSIGN(std::unique_ptr<Encoding> t5, create_encoding({.id = "t5"}, kGeometry));
  t5->parameters().at(0)->grad = Tensor({2, 2});
  EXPECT_EQ(attention_backward(q, k, v, d_output, *t5, causal()).status().message(),
            "table.grad: has shape 2 x 2 with 4 values; expected shape 32 x 2");
}

}  // namespace
}  // namespace phasor::test::live
