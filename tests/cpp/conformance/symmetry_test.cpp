// Whether a method distinguishes left from right: the score of a query at i and a key at j,
// compared with the score of the same contents with exchanged positions. An input encoding is part
// of the contents: the product of two of its rows is symmetric, but (x + p_i) . (y + p_j) is not,
// so a layer without a bias can distinguish the sides.

#include <gtest/gtest.h>

#include <algorithm>

#include "numbers.h"
#include "phasor/phasor.h"
#include "variants.h"

namespace phasor::test::symmetry_test {
namespace {

constexpr int kHeads = 2, kDim = 16;
// Contains every position of kPairs, which exceed the 512 tokens up to which FIRE normalizes by
// one length.
constexpr int kLength = 1301;

struct Pair {
  double i, j;
};
constexpr Pair kPairs[] = {{3, 4}, {7, 0}, {12, 30}, {400, 395}, {1300, 40}, {1000, 1200}};

std::unique_ptr<Encoding> create(const Variant& variant) {
  std::unique_ptr<Encoding> encoding;
  const bool ok = create_encoding(variant.config, {.length = kLength, .dim = kDim, .heads = kHeads})
                      .move_to(encoding)
                      .ok();
  return ok ? std::move(encoding) : nullptr;
}

// The score of each head for one query (heads, 1, head_dim) and one key.
std::vector<double> compute_scores(const Encoding& encoding, Injection injection, Tensor q,
                                   Tensor k, double i, double j) {
  const std::vector<double> query_position = {i}, key_position = {j};
  const int head_dim = q.shape[2];
  if (injection == Injection::input) {
    Tensor p_i({1, encoding.as_table()->table_dim(kDim)}), p_j = p_i;
    encoding.as_table()->table(query_position, matrix(p_i));
    encoding.as_table()->table(key_position, matrix(p_j));
    for (int h = 0; h < kHeads; ++h) {
      for (int c = 0; c < p_i.shape[1]; ++c) {
        matrix(q, h).row(0)[c] += p_i.data[static_cast<std::size_t>(c)];
        matrix(k, h).row(0)[c] += p_j.data[static_cast<std::size_t>(c)];
      }
    }
  } else if (const QueryKeyEncoding* transform = encoding.as_query_key()) {
    transform->transform(Role::query, query_position, q);
    transform->transform(Role::key, key_position, k);
  }
  const double scale = encoding.scale(head_dim).value_or(1 / std::sqrt(head_dim));
  std::vector<double> all;
  for (int h = 0; h < kHeads; ++h) {
    const ConstMatrixRef qh = matrix(std::as_const(q), h), kh = matrix(std::as_const(k), h);
    double dot = 0;
    for (int c = 0; c < head_dim; ++c)
      dot += static_cast<double>(qh.row(0)[c]) * static_cast<double>(kh.row(0)[c]);
    Tensor score({1, 1}, {static_cast<float>(scale * dot)});
    const ContentTile content_tile{.head = h,
                                   .queries = query_position,
                                   .keys = key_position,
                                   .q = qh,
                                   .k = kh,
                                   .scale = static_cast<float>(scale)};
    const ScoreEncoding* bias = encoding.as_score_bias();
    const ContentBias* content_bias = encoding.as_content_bias();
    if (content_bias != nullptr) content_bias->add_content(content_tile, matrix(score));
    if (bias != nullptr) bias->add_bias(h, query_position, key_position, matrix(score));
    all.push_back(static_cast<double>(score.data[0]));
  }
  if (const HeadMixing* mixing = encoding.as_mixing()) {
    Tensor products({kHeads, 1}), added({kHeads, 1});
    std::transform(all.begin(), all.end(), products.data.begin(),
                   [](double score) { return static_cast<float>(score); });
    mixing->mix({query_position, key_position, matrix(std::as_const(products))}, matrix(added));
    for (std::size_t h = 0; h < all.size(); ++h) all[h] += static_cast<double>(added.data[h]);
  }
  return all;
}

// The largest change of a score when positions are exchanged, over all pairs that the encoding
// accepts.
double compute_asymmetry(const Encoding& encoding, Injection injection) {
  const int head_dim =
      std::max(kDim, injection == Injection::input ? encoding.as_table()->table_dim(kDim) : 0);
  double largest = 0;
  for (std::uint64_t seed = 0; seed < 3; ++seed) {
    const Tensor q = dyadic(201 + seed, {kHeads, 1, head_dim}),
                 k = dyadic(211 + seed, {kHeads, 1, head_dim});
    for (const auto& [i, j] : kPairs) {
      if (!encoding.check_positions(std::vector<double>{i, j}).ok()) continue;
      largest = std::max(largest, largest_error(compute_scores(encoding, injection, q, k, j, i),
                                                compute_scores(encoding, injection, q, k, i, j)));
    }
  }
  return largest;
}

TEST(ConformanceSymmetry, ScoresAreSymmetricExactlyIfDeclared) {
  int symmetric_count = 0, other_count = 0;
  for (const Variant& variant : every_variant()) {
    const std::unique_ptr<Encoding> encoding = create(variant);
    ASSERT_NE(encoding, nullptr) << variant.name;
    const double error = compute_asymmetry(*encoding, variant.type->injection);
    if (encoding->symmetric()) {
      EXPECT_LT(error, 1e-5) << variant.name << " is declared unable to tell left from right";
      ++symmetric_count;
    } else {
      EXPECT_GT(error, 1e-2) << variant.name << " is not declared symmetric";
      ++other_count;
    }
  }
  EXPECT_GT(symmetric_count, 5);
  EXPECT_GT(other_count, 30);
}

// Symmetry may depend on a parameter (the right slope of ALiBi). Encodings that are not declared
// symmetric are skipped, because a deviation of 0 makes all learned values equal.
TEST(ConformanceSymmetry, DeclaredSymmetryHoldsAtTheEndsOfParameterRanges) {
  int parameter_count = 0;
  for (const EncodingInfo* type : encodings()) {
    if (type->injection == Injection::input) continue;
    for (const ParamInfo& spec : type->params) {
      if (spec.kind != ParamKind::real && spec.kind != ParamKind::integer) continue;
      for (const double value : {spec.min, spec.max}) {
        const std::string id(type->id), name(spec.name);
        const Variant variant{type, {.id = id, .params = {{name, value}}}, id + " " + name};
        const std::unique_ptr<Encoding> encoding = create(variant);
        if (encoding == nullptr || !encoding->symmetric()) continue;
        EXPECT_LT(compute_asymmetry(*encoding, type->injection), 1e-5)
            << variant.name << " " << value;
        ++parameter_count;
      }
    }
  }
  EXPECT_GT(parameter_count, 5);
}

TEST(ConformanceSymmetry, RegisteredTraitMatchesTheDefaults) {
  for (const EncodingInfo* type : encodings()) {
    const std::unique_ptr<Encoding> encoding = create(variants(*type).front());
    ASSERT_NE(encoding, nullptr) << type->id;
    EXPECT_EQ(type->symmetric, encoding->symmetric()) << type->id;
  }
}

}  // namespace
}  // namespace phasor::test::symmetry_test
