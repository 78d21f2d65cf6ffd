// The backward pass of a layer against finite differences, for every encoding.

#include <gtest/gtest.h>

#include "attention/self_attention.h"
#include "loss_slopes.h"
#include "numbers.h"
#include "phasor/phasor.h"
#include "results.h"
#include "variants.h"

namespace phasor::test::self_attention_gradient_test {
namespace {

constexpr int kEmbedDim = 8;

// A layer computed in double by the formula, with tables from the encoding.
struct LayerProblem {
  Tensor x, d_output;
  SelfAttentionConfig config;

  double loss() const {
    const bool at_input = find_encoding(config.encoding.id)->injection == Injection::input;
    std::vector<Vector> embeddings = heads_of(Tensor({1, x.shape[0], x.shape[1]}, x.data))[0];
    if (at_input) {
      const Tensor table =
          value_of(position_table(config.encoding, positions_from(0, x.shape[0]), x.shape[1]));
      for (std::size_t t = 0; t < embeddings.size(); ++t) {
        const Vector row = row_of(table, static_cast<int>(t));
        for (std::size_t c = 0; c < row.size(); ++c) embeddings[t][c] += row[c];
      }
    }
    AttentionConfig attention_config{
        .mask = config.mask, .window = config.window, .position_offset = 0.0};
    if (!at_input) attention_config.encoding = config.encoding;
    const Reference reference = reference_attention(project(embeddings, 0), project(embeddings, 1),
                                                    project(embeddings, 2), attention_config);
    // (heads, length, head_dim) -> (length, heads * head_dim)
    const std::size_t heads = static_cast<std::size_t>(config.heads), length = embeddings.size(),
                      head_dim = embeddings[0].size() / heads;
    Vector output(reference.output.size());
    for (std::size_t n = 0; n < output.size(); ++n) {
      const std::size_t h = n / (length * head_dim), t = n / head_dim % length;
      output[(t * heads + h) * head_dim + n % head_dim] = reference.output[n];
    }
    return inner(output, d_output);
  }

 private:
  Heads project(const std::vector<Vector>& rows, std::uint32_t projection) const {
    const std::size_t embed_dim = rows[0].size(), heads = static_cast<std::size_t>(config.heads),
                      head_dim = embed_dim / heads;
    Tensor weights;
    if (config.projections == Projections::orthogonal) {
      EXPECT_TRUE(
          random_orthogonal(config.seed * 3 + projection, static_cast<int>(embed_dim), weights)
              .ok());
    }
    Heads result(heads, std::vector<Vector>(rows.size(), Vector(head_dim)));
    for (std::size_t t = 0; t < rows.size(); ++t) {
      for (std::size_t c = 0; c < embed_dim; ++c) {
        double sum = weights.empty() ? rows[t][c] : 0;
        for (std::size_t k = 0; !weights.empty() && k < embed_dim; ++k) {
          sum += rows[t][k] * static_cast<double>(matrix(weights).row(static_cast<int>(k))[c]);
        }
        result[c / head_dim][t][c % head_dim] = sum;
      }
    }
    return result;
  }
};

TEST(SelfAttentionGradient, MatchesFiniteDifferences) {
  constexpr int kLength = 7, kHeads = 2;
  int input_count = 0;
  for (const Variant& variant : every_variant_of_dim(kEmbedDim)) {
    const bool at_input = variant.type->injection == Injection::input;
    const EncodingDims geometry{
        .length = kLength, .dim = at_input ? kEmbedDim : kEmbedDim / kHeads, .heads = kHeads};
    if (!accepts(variant, geometry)) continue;
    for (const Projections projections : {Projections::identity, Projections::orthogonal}) {
      SCOPED_TRACE(variant.name +
                   (projections == Projections::identity ? ", identity" : ", orthogonal"));
      LayerProblem problem{.x = dyadic(75, {kLength, kEmbedDim}),
                           .d_output = dyadic(76, {kLength, kEmbedDim}),
                           .config = {}};
      for (float& value : problem.x.data) value *= 0.5f;
      problem.config.heads = kHeads;
      ASSERT_OK_AND_ASSIGN(problem.config.encoding,
                           given_learned(without_kinks(variant.config), geometry));
      problem.config.mask = input_count % 2 == 0 ? Mask::causal : Mask::none;
      problem.config.projections = projections;
      problem.config.seed = 5;
      if (input_count % 3 == 0) problem.config.window = 4;
      ASSERT_OK_AND_ASSIGN(SelfAttentionGradients gradients,
                           self_attention_backward(problem.x, problem.d_output, problem.config));
      const auto loss = [&] { return problem.loss(); };
      expect_gradient("x", problem.x, gradients.d_x, kExact, 20, loss);
      // Tables are computed in float32, so their tolerance is larger.
      expect_parameter_gradients(problem.config.encoding, gradients.parameters,
                                 at_input ? kRounded : kExact, 20, loss);
      input_count += at_input ? 1 : 0;
    }
  }
  EXPECT_GT(input_count, 10);
}

TEST(SelfAttentionGradient, RejectsAnInvalidOutputGradient) {
  const Tensor x({3, 4});
  EXPECT_EQ(self_attention_backward(x, Tensor({4, 3}), {}).status().message(),
            "d_output: has shape 4 x 3; expected 3 x 4, the shape of the output");
  Tensor invalid_tensor = x;
  invalid_tensor.data[11] = NAN;
  EXPECT_EQ(self_attention_backward(x, invalid_tensor, {}).status().message(),
            "d_output[11]: NaN is not a finite number");
}

}  // namespace
}  // namespace phasor::test::self_attention_gradient_test
