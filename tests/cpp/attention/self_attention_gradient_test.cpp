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
struct LayerJob {
  Tensor x, d_output;
  SelfAttentionConfig config;

  double loss() const {
    const bool at_input = find_encoding(config.encoding.id)->injection == Injection::input;
    std::vector<Vector> placed = heads_of(Tensor({1, x.shape[0], x.shape[1]}, x.data))[0];
    if (at_input) {
      const Tensor added =
          value_of(position_table(config.encoding, positions_from(0, x.shape[0]), x.shape[1]));
      for (std::size_t t = 0; t < placed.size(); ++t) {
        const Vector row = row_of(added, static_cast<int>(t));
        for (std::size_t c = 0; c < row.size(); ++c) placed[t][c] += row[c];
      }
    }
    AttentionConfig inside{.mask = config.mask, .window = config.window, .position_offset = 0.0};
    if (!at_input) inside.encoding = config.encoding;
    const Reference reference = reference_attention(projected(placed, 0), projected(placed, 1),
                                                    projected(placed, 2), inside);
    // (heads, length, head_dim) -> (length, heads * head_dim)
    const std::size_t heads = static_cast<std::size_t>(config.heads), length = placed.size(),
                      head_dim = placed[0].size() / heads;
    Vector joined(reference.output.size());
    for (std::size_t n = 0; n < joined.size(); ++n) {
      const std::size_t h = n / (length * head_dim), t = n / head_dim % length;
      joined[(t * heads + h) * head_dim + n % head_dim] = reference.output[n];
    }
    return inner(joined, d_output);
  }

 private:
  Heads projected(const std::vector<Vector>& rows, std::uint32_t which) const {
    const std::size_t embed_dim = rows[0].size(), heads = static_cast<std::size_t>(config.heads),
                      head_dim = embed_dim / heads;
    Tensor weights;
    if (config.projections == Projections::orthogonal) {
      EXPECT_TRUE(
          random_orthogonal(config.seed * 3 + which, static_cast<int>(embed_dim), weights).ok());
    }
    Heads out(heads, std::vector<Vector>(rows.size(), Vector(head_dim)));
    for (std::size_t t = 0; t < rows.size(); ++t) {
      for (std::size_t c = 0; c < embed_dim; ++c) {
        double sum = weights.empty() ? rows[t][c] : 0;
        for (std::size_t from = 0; !weights.empty() && from < embed_dim; ++from) {
          sum +=
              rows[t][from] * static_cast<double>(matrix(weights).row(static_cast<int>(from))[c]);
        }
        out[c / head_dim][t][c % head_dim] = sum;
      }
    }
    return out;
  }
};

TEST(SelfAttentionGradient, MatchesFiniteDifferences) {
  constexpr int kLength = 7, kHeads = 2;
  int inputs = 0;
  for (const Variant& variant : every_variant_of_dim(kEmbedDim)) {
    const bool at_input = variant.type->injection == Injection::input;
    const EncodingDims geometry{
        .length = kLength, .dim = at_input ? kEmbedDim : kEmbedDim / kHeads, .heads = kHeads};
    if (!accepts(variant, geometry)) continue;
    for (const Projections projections : {Projections::identity, Projections::orthogonal}) {
      SCOPED_TRACE(variant.name +
                   (projections == Projections::identity ? ", identity" : ", orthogonal"));
      LayerJob job{.x = dyadic(75, {kLength, kEmbedDim}),
                   .d_output = dyadic(76, {kLength, kEmbedDim}),
                   .config = {}};
      for (float& value : job.x.data) value *= 0.5f;
      job.config.heads = kHeads;
      ASSERT_OK_AND_ASSIGN(job.config.encoding,
                           given_learned(without_kinks(variant.config), geometry));
      job.config.mask = inputs % 2 == 0 ? Mask::causal : Mask::none;
      job.config.projections = projections;
      job.config.seed = 5;
      if (inputs % 3 == 0) job.config.window = 4;
      ASSERT_OK_AND_ASSIGN(SelfAttentionGradients gradients,
                           self_attention_backward(job.x, job.d_output, job.config));
      const auto loss = [&] { return job.loss(); };
      expect_gradient("x", job.x, gradients.d_x, kExact, 20, loss);
      // Tables are computed in float32, so their tolerance is larger.
      expect_parameter_gradients(job.config.encoding, gradients.parameters,
                                 at_input ? kRounded : kExact, 20, loss);
      inputs += at_input ? 1 : 0;
    }
  }
  EXPECT_GT(inputs, 10);
}

TEST(SelfAttentionGradient, RejectsAnInvalidOutputGradient) {
  const Tensor x({3, 4});
  EXPECT_EQ(self_attention_backward(x, Tensor({4, 3}), {}).status().message(),
            "d_output: has shape 4 x 3; expected 3 x 4, the shape of the output");
  Tensor bad = x;
  bad.data[11] = NAN;
  EXPECT_EQ(self_attention_backward(x, bad, {}).status().message(),
            "d_output[11]: NaN is not a finite number");
}

}  // namespace
}  // namespace phasor::test::self_attention_gradient_test
