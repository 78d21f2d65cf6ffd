#include "phasor/registry.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "numbers.h"
#include "phasor/attention.h"
#include "phasor/encoding_ops.h"
#include "results.h"

namespace phasor::test {
namespace {

bool is_identifier(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
  });
}

TEST(Registry, IdsAreSortedAndUnique) {
  for (std::size_t i = 1; i < encodings().size(); ++i)
    EXPECT_LT(encodings()[i - 1]->id, encodings()[i]->id);
  for (const EncodingInfo* type : encodings()) EXPECT_TRUE(is_identifier(type->id)) << type->id;
}

TEST(Registry, FindsExactlyTheKnownIds) {
  for (const EncodingInfo* type : encodings()) EXPECT_EQ(find_encoding(type->id), type);
  EXPECT_EQ(find_encoding(""), nullptr);
  EXPECT_EQ(find_encoding("no_such_encoding"), nullptr);
}

TEST(Registry, UnknownIdErrorListsTheKnownIds) {
  const Status status = create_encoding({.id = "rop", .params = {}}, {}).status();
  EXPECT_EQ(status.code(), StatusCode::unknown_name);
  for (const EncodingInfo* type : encodings())
    EXPECT_NE(status.message().find(type->id), std::string::npos) << status.message();
  EXPECT_NE(status.message().find("\"rop\""), std::string::npos) << status.message();
}

// Regression: the first of two values was used.
TEST(Registry, RejectsDuplicateParameters) {
  const auto creation_error = [](const EncodingConfig& config) {
    return create_encoding(config, {.length = 4, .dim = 8}).status().message();
  };
  EXPECT_EQ(creation_error({.id = "rope", .params = {{"base", 10.0}, {"base", 10000.0}}}),
            "base: occurs twice; expected one value");
  EXPECT_EQ(creation_error({.id = "rope", .params = {{"base", 10.0}, {"base", 10.0}}}),
            "base: occurs twice; expected one value");
  const Tensor table({4, 8});
  EXPECT_EQ(creation_error({.id = "learned", .params = {{"table", table}, {"table", table}}}),
            "table: occurs twice; expected one value");
}

// A number may be an int, long or unsigned, but neither a bool nor a char.
TEST(Registry, AcceptsIntegersAsNumbers) {
  const auto frequency = [](const ParamValue& base) {
    return value_of(rope_frequencies({.id = "rope", .params = {{"base", base}}}, 8)).inv_freq[1];
  };
  const double expected = frequency(500000.0);
  EXPECT_EQ(frequency(500000), expected);
  EXPECT_EQ(frequency(500000L), expected);
  EXPECT_EQ(frequency(500000U), expected);
  EXPECT_EQ(value_of(rope_frequencies({.id = "rope", .params = {{"base", 500000}}}, 8)).inv_freq[1],
            expected);
  EXPECT_EQ(
      create_encoding({.id = "rope", .params = {{"base", true}}}, {.dim = 8}).status().message(),
      "base: is a boolean; expected a number");
  static_assert(!std::is_constructible_v<ParamValue, char>);
}

TEST(Registry, CopiedTypesShareTheirParameters) {
  for (const EncodingInfo* type : encodings()) {
    const EncodingInfo copy = *type;
    EXPECT_EQ(copy.params.data(), type->params.data()) << type->id;
  }
}

TEST(Registry, ParameterDeclarationsAreConsistent) {
  for (const EncodingInfo* type : encodings()) {
    std::set<std::string_view> names;
    for (const ParamInfo& spec : type->params) {
      EXPECT_TRUE(is_identifier(spec.name)) << type->id << " " << spec.name;
      EXPECT_TRUE(names.insert(spec.name).second)
          << type->id << " declares " << spec.name << " twice";
      EXPECT_FALSE(spec.summary.empty()) << type->id << " " << spec.name;
      EXPECT_EQ(spec.shape.empty(), spec.kind != ParamKind::tensor) << type->id << " " << spec.name;
      if (spec.kind == ParamKind::tensor) continue;
      EXPECT_LT(spec.min, spec.max) << type->id << " " << spec.name;
      EXPECT_GE(spec.default_value, spec.min) << type->id << " " << spec.name;
      EXPECT_LE(spec.default_value, spec.max) << type->id << " " << spec.name;
      EXPECT_EQ(spec.choices.count() > 1, spec.kind == ParamKind::choice)
          << type->id << " " << spec.name;
      if (spec.logarithmic) {
        EXPECT_GT(spec.min, 0) << type->id << " " << spec.name;
      }
      for (const std::string_view word : spec.choices.list())
        EXPECT_TRUE(is_identifier(word)) << type->id << " " << word;
    }
    EXPECT_GE(type->axes, 1) << type->id;
  }
}

TEST(Registry, ConditionalParametersNameAnExistingChoice) {
  for (const EncodingInfo* type : encodings()) {
    for (const ParamInfo& spec : type->params) {
      if (spec.applies_when.param.empty()) continue;
      const auto spec_with_choices =
          std::find_if(type->params.begin(), type->params.end(),
                       [&](const ParamInfo& s) { return s.name == spec.applies_when.param; });
      ASSERT_NE(spec_with_choices, type->params.end()) << type->id << " " << spec.name;
      EXPECT_FALSE(spec.applies_when.values.empty()) << type->id << " " << spec.name;
      const ChoiceList choice_names = spec_with_choices->kind == ParamKind::boolean
                                          ? "false, true"
                                          : spec_with_choices->choices;
      for (const std::string_view word : spec.applies_when.values.list()) {
        EXPECT_GE(choice_names.find(word), 0) << type->id << " " << word;
      }
    }
  }
}

// The page hides a parameter that is declared unused with the selected choice, so it must have no
// effect then.
TEST(Registry, ConditionalParametersHaveNoEffectOtherwise) {
  for (const EncodingInfo* type : encodings()) {
    for (const ParamInfo& spec : type->params) {
      if (spec.applies_when.param.empty() || spec.kind == ParamKind::tensor) continue;
      const auto spec_with_choices =
          std::find_if(type->params.begin(), type->params.end(),
                       [&](const ParamInfo& s) { return s.name == spec.applies_when.param; });
      for (const std::string_view word : spec_with_choices->choices.list()) {
        if (spec.applies_when.values.find(word) >= 0) continue;
        SelfAttentionConfig config;
        config.encoding = {.id = std::string(type->id),
                           .params = {{std::string(spec_with_choices->name), std::string(word)}}};
        const auto created = create_encoding(config.encoding, {.dim = 8});
        if (created.ok() && (*created)->causal_only()) config.mask = Mask::causal;
        const std::string name(spec.name);
        const Tensor x = dyadic(9, {5, 8});
        AttentionResult usual, changed;
        ASSERT_TRUE(self_attention(x, config).move_to(usual).ok()) << type->id << " " << word;
        if (spec.kind == ParamKind::choice)
          config.encoding.params[name] = std::string(spec.choices.list().back());
        else if (spec.kind == ParamKind::boolean)
          config.encoding.params[name] = spec.default_value == 0;
        else
          config.encoding.params[name] = spec.default_value + 1;
        const Status status = self_attention(x, config).move_to(changed);
        // It may also be rejected by its name.
        if (!status.ok()) {
          EXPECT_EQ(status.message().rfind(name + ": ", 0), 0u)
              << type->id << " beside " << word << ": " << status.message();
          continue;
        }
        EXPECT_EQ(usual.output.data, changed.output.data)
            << type->id << " " << spec.name << " beside " << word;
      }
    }
  }
}

TEST(Registry, RejectsSizesOutOfRange) {
  const auto message = [&](const EncodingDims& geometry) {
    return create_encoding({}, geometry).status().message();
  };
  EXPECT_EQ(message({.length = 0}), "length: 0 is outside 1 to 1048576");
  EXPECT_EQ(message({.dim = -1}), "dim: -1 is outside 1 to 1048576");
  EXPECT_EQ(message({.heads = 1048577}), "heads: 1048577 is outside 1 to 1048576");
}

TEST(Registry, RejectsInvalidHeadsAndScale) {
  const auto creation_error = [](const EncodingDims& geometry) {
    return create_encoding({.id = "relative_bias"}, geometry).status().message();
  };
  EXPECT_EQ(creation_error({.heads = 2, .v_head_dim = 8, .kv_heads = 1, .scale = 0.5}), "");
  EXPECT_EQ(creation_error({.v_head_dim = -1}), "v_head_dim: -1 is outside 0 to 1048576");
  EXPECT_EQ(creation_error({.heads = 2, .kv_heads = 3}), "kv_heads: 3 is outside 0 to 2");
  EXPECT_EQ(creation_error({.scale = NAN}), "scale: NaN is not a finite number");
  EXPECT_EQ(creation_error({.scale = INFINITY}), "scale: Infinity is not a finite number");
}

// The limit keeps the time for drawing learned values below a second.
TEST(Registry, RejectsLearnedArraysTooLargeToDraw) {
  const auto creation_error = [](const EncodingConfig& config, const EncodingDims& geometry) {
    return create_encoding(config, geometry).status().message();
  };
  EXPECT_EQ(creation_error({.id = "transformer_xl"}, {.length = 8, .dim = 4097}),
            "w_r: 4097 x 4098 random numbers exceed the limit of 16777216; pass an array");
  EXPECT_EQ(creation_error({.id = "learned", .params = {{"max_length", 65536.0}}}, {.dim = 512}),
            "table: 65536 x 512 random numbers exceed the limit of 16777216; pass an array");
  EXPECT_EQ(
      creation_error({.id = "learned", .params = {{"table", Tensor({65536, 512})}}}, {.dim = 512}),
      "");
  EXPECT_EQ(creation_error({.id = "fire", .params = {{"mlp_width", 1024.0}}}, {.heads = 65536}),
            "w2: 65536 x 1024 random numbers exceed the limit of 16777216; pass an array");
  EXPECT_EQ(
      creation_error({.id = "rope_mixed"}, {.dim = 8192, .heads = 8192}),
      "frequencies: 2 x 8192 x 4096 random numbers exceed the limit of 16777216; pass an array");
  EXPECT_EQ(self_attention(Tensor({1, 1025}), {.projections = Projections::orthogonal})
                .status()
                .message(),
            "x: dim 1025 exceeds 1024, the maximum for orthogonal projections");
}

}  // namespace
}  // namespace phasor::test
