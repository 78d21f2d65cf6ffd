// The whole way back, through attention and through a layer, against differences of the way forward. Registry-wide: whatever an
// encoding adds, and whatever it has learned, must come back through softmax, masks, shared keys and tiles.

#include <gtest/gtest.h>

#include <cstring>
#include <functional>

#include "numbers.h"
#include "phasor/phasor.h"
#include "variants.h"

namespace phasor::test {
namespace {

double inner(const Tensor& a, const Tensor& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.data.size(); ++i) sum += static_cast<double>(a.data[i]) * static_cast<double>(b.data[i]);
  return sum;
}

bool all_zero(const Tensor& t) {
  return std::all_of(t.data.begin(), t.data.end(), [](float x) { return x == 0; });
}

// The best agreement along a direction of -1 and 1. A kink within a step (a ReLU, a floor, a clamp) spoils a difference, so there
// are several steps, and each side of them counts by itself. The loss is a sum of float32 numbers, known to about 1e-6, so a slope
// over 2 / 512 is known to about 1e-3.
struct Slope {
  double error = HUGE_VAL, value = 0;
};
Slope slope_along(Tensor& t, const Tensor& gradient, std::uint64_t seed, double tolerance, const std::function<double()>& loss) {
  const std::vector<float> kept = t.data;
  std::vector<float> direction(kept.size());
  SplitMix64 random(seed);
  for (float& x : direction) x = random.next() % 2 == 0 ? 1.0f : -1.0f;
  const double here = loss();
  Slope best;
  for (const double step : {1.0 / 256, 1.0 / 1024, 1.0 / 64, 1.0 / 4096}) {
    // Steps are rounded, so what the gradient promises is of what they became.
    const auto move = [&](float sign) {
      double promised = 0;
      for (std::size_t i = 0; i < kept.size(); ++i) {
        t.data[i] = kept[i] + sign * direction[i] * static_cast<float>(step);
        promised += static_cast<double>(gradient.data[i]) * (static_cast<double>(t.data[i]) - static_cast<double>(kept[i]));
      }
      return std::pair{loss(), promised};
    };
    const auto up = move(1), down = move(-1);
    const auto candidate = [&](double measured, double promised, double length) {
      const double e = error(promised / length, measured / length);
      if (e < best.error) best = {e, measured / length};
    };
    candidate(up.first - down.first, up.second - down.second, 2 * step);
    candidate(up.first - here, up.second, step);
    candidate(here - down.first, -down.second, step);
    if (best.error < tolerance) break;
  }
  t.data = kept;
  return best;
}

constexpr double kTolerance = 3e-3;

// From here on every trained number is a given one, so that it can be moved.
void give_learned(EncodingConfig& config, const Geometry& geometry) {
  std::unique_ptr<Encoding> encoding;
  const Status status = create(config, geometry, encoding);
  ASSERT_TRUE(status.ok()) << status.message;
  for (const auto& [name, tensor] : encoding->learned()) config.params[std::string(name)] = *tensor;
}

// Compares the gradient of every trained array; each must have some influence.
int compare_parameters(EncodingConfig& config, const Gradients& gradients, int directions, const std::function<double()>& loss) {
  int compared = 0;
  for (const auto& [name, gradient] : gradients) {
    Tensor& parameter = std::get<Tensor>(config.params.at(name));
    EXPECT_EQ(gradient.shape, parameter.shape) << name;
    if (gradient.shape != parameter.shape) continue;
    EXPECT_FALSE(all_zero(gradient)) << name << " has no influence";
    for (int n = 0; n < directions; ++n) {
      const Slope slope = slope_along(parameter, gradient, 80 + static_cast<std::uint64_t>(n), kTolerance, loss);
      EXPECT_LT(slope.error, kTolerance) << name << ", where differences give " << slope.value;
    }
    ++compared;
  }
  return compared;
}

struct Job {
  Tensor q, k, v, d_output;
  AttentionConfig config;

  double loss() const {
    AttentionResult result;
    const Status status = attention(q, k, v, config, result);
    EXPECT_TRUE(status.ok()) << status.message;
    return status.ok() ? inner(result.output, d_output) : NAN;
  }
};

struct Sizes {
  int heads, kv_heads, queries, keys;
};

constexpr int kWidth = 8, kValueWidth = 5;

Job job_of(const EncodingConfig& encoding, const Sizes& s) {
  Job job{.q = dyadic(71, {s.heads, s.queries, kWidth}),
          .k = dyadic(72, {s.kv_heads, s.keys, kWidth}),
          .v = dyadic(73, {s.kv_heads, s.keys, kValueWidth}),
          .d_output = dyadic(74, {s.heads, s.queries, kValueWidth}),
          .config = {}};
  for (float& x : job.q.data) x *= 0.5f;
  job.config.encoding = encoding;
  give_learned(job.config.encoding, {.length = s.keys, .width = kWidth, .heads = s.heads, .value_width = kValueWidth});
  return job;
}

void expect_gradients(Job& job, int directions) {
  AttentionGradients gradients;
  const Status status = attention_gradient(job.q, job.k, job.v, job.d_output, job.config, gradients);
  ASSERT_TRUE(status.ok()) << status.message;
  const auto loss = [&] { return job.loss(); };
  const std::tuple<const char*, Tensor&, const Tensor&> inputs[] = {
      {"q", job.q, gradients.d_q}, {"k", job.k, gradients.d_k}, {"v", job.v, gradients.d_v}};
  for (const auto& [name, tensor, gradient] : inputs) {
    ASSERT_EQ(gradient.shape, tensor.shape) << name;
    ASSERT_FALSE(all_zero(gradient)) << name;
    for (int n = 0; n < directions; ++n) {
      const Slope slope = slope_along(tensor, gradient, 90 + static_cast<std::uint64_t>(n), kTolerance, loss);
      EXPECT_LT(slope.error, kTolerance) << name << ", where differences give " << slope.value;
    }
  }
  const std::size_t compared = static_cast<std::size_t>(compare_parameters(job.config.encoding, gradients.parameters, directions, loss));
  std::unique_ptr<Encoding> encoding;
  ASSERT_TRUE(create(job.config.encoding, {.length = job.k.shape[1], .width = kWidth, .heads = job.q.shape[0], .value_width = kValueWidth},
                     encoding)
                  .ok());
  EXPECT_EQ(compared, encoding->learned().size());
}

struct Sight {
  Mask mask;
  int window;  ///< 0: none
  int hidden;  ///< every so many keys one is hidden; 0: none
  double shift;
};

void look(Job& job, const Sight& sight) {
  const int queries = job.q.shape[1], keys = job.k.shape[1];
  job.config.mask = sight.mask;
  job.config.window = sight.window > 0 ? std::optional(sight.window) : std::nullopt;
  job.config.offset = keys - queries + sight.shift;
  job.config.key_mask.clear();
  for (int j = 0; sight.hidden > 0 && j < keys; ++j) job.config.key_mask.push_back(j % sight.hidden == 1 ? 0 : 1);
}

std::vector<EncodingConfig> every_attention_encoding() {
  std::vector<EncodingConfig> all;
  for (const Variant& variant : every_variant()) {
    if (variant.type->injection != Injection::input) all.push_back(variant.config);
  }
  // Slopes have a gradient where they are given.
  for (const char* form : {"symmetric", "mpt", "half_heads"}) {
    all.push_back({.id = "alibi", .params = {{"form", std::string(form)}, {"slopes", Tensor({2}, {0.5f, 0.25f})}}});
  }
  return all;
}

std::string name_of(const EncodingConfig& config) {
  std::string name = config.id;
  for (const auto& [param, value] : config.params) {
    if (const auto* word = std::get_if<std::string>(&value)) name += " " + param + "=" + *word;
    if (const auto* yes = std::get_if<bool>(&value)) name += " " + param + (*yes ? "=true" : "=false");
  }
  return name;
}

TEST(AttentionGradient, IsThatOfDifferencesUnderEveryMask) {
  for (const EncodingConfig& encoding : every_attention_encoding()) {
    SCOPED_TRACE(name_of(encoding));
    Job job = job_of(encoding, {2, 1, 5, 9});
    for (const Sight& sight : {Sight{Mask::none, 0, 0, 0}, {Mask::causal, 0, 0, -2}, {Mask::none, 3, 4, 0}, {Mask::causal, 4, 5, 1}}) {
      SCOPED_TRACE((sight.mask == Mask::causal ? "causal, window " : "window ") + std::to_string(sight.window));
      look(job, sight);
      expect_gradients(job, 3);
      if (HasFatalFailure()) return;
    }
  }
}

TEST(AttentionGradient, IsThatOfDifferencesAcrossTiles) {
  int n = 0;
  for (const EncodingConfig& encoding : every_attention_encoding()) {
    SCOPED_TRACE(name_of(encoding));
    Job job = job_of(encoding, {2, n % 2 == 0 ? 1 : 2, 40, 300});
    // A loss of the size of the small ones, though 40 rows contribute.
    for (float& x : job.d_output.data) x *= 0.25f;
    const Sight sights[] = {{Mask::none, 0, 0, -20}, {Mask::causal, 0, 7, 0}, {Mask::causal, 100, 0, -30}, {Mask::none, 50, 3, -15}};
    look(job, sights[n++ % 4]);
    expect_gradients(job, 2);
    if (HasFatalFailure()) return;
  }
}

// Keys beyond the first block, and queries that meet only the second.
TEST(AttentionGradient, IsThatOfDifferencesAcrossBlocks) {
  for (const char* id : {"none", "t5", "shaw", "rope", "transformer_xl"}) {
    SCOPED_TRACE(id);
    Job job = job_of({.id = id, .params = {}}, {1, 1, 34, 1100});
    look(job, {Mask::causal, 60, 0, -20});
    expect_gradients(job, 1);
    if (HasFatalFailure()) return;
  }
}

// What a wrong gradient of a row that sees nothing would be is NaN: 0 / 0 of its weights.
TEST(AttentionGradient, ARowThatSeesNothingAsksForNothing) {
  for (const EncodingConfig& encoding : every_attention_encoding()) {
    SCOPED_TRACE(name_of(encoding));
    Job job = job_of(encoding, {2, 1, 6, 6});
    AttentionGradients gradients, other;
    job.config.key_mask.assign(6, 0);
    ASSERT_TRUE(attention_gradient(job.q, job.k, job.v, job.d_output, job.config, gradients).ok());
    EXPECT_TRUE(all_zero(gradients.d_q) && all_zero(gradients.d_k) && all_zero(gradients.d_v));
    for (const auto& [name, gradient] : gradients.parameters) EXPECT_TRUE(all_zero(gradient)) << name;

    // Three queries before the first key: what the loss asks of them changes nothing.
    look(job, {Mask::causal, 0, 0, -3});
    ASSERT_TRUE(attention_gradient(job.q, job.k, job.v, job.d_output, job.config, gradients).ok());
    for (int h = 0; h < 2; ++h) {
      EXPECT_TRUE(std::all_of(matrix(gradients.d_q, h).row(0), matrix(gradients.d_q, h).row(3), [](float x) { return x == 0; }));
      for (float* x = matrix(job.d_output, h).row(0); x < matrix(job.d_output, h).row(3); ++x) *x = 100;
    }
    ASSERT_TRUE(attention_gradient(job.q, job.k, job.v, job.d_output, job.config, other).ok());
    EXPECT_EQ(other.d_q.data, gradients.d_q.data);
    EXPECT_EQ(other.d_k.data, gradients.d_k.data);
    EXPECT_EQ(other.d_v.data, gradients.d_v.data);
    for (const auto& [name, gradient] : gradients.parameters) EXPECT_EQ(other.parameters.at(name).data, gradient.data) << name;
  }
}

TEST(AttentionGradient, TwiceIsTheSame) {
  for (const EncodingConfig& encoding : every_attention_encoding()) {
    Job job = job_of(encoding, {2, 1, 35, 270});
    AttentionGradients one, two;
    ASSERT_TRUE(attention_gradient(job.q, job.k, job.v, job.d_output, job.config, one).ok());
    two = one;  // what was there before is not added to
    ASSERT_TRUE(attention_gradient(job.q, job.k, job.v, job.d_output, job.config, two).ok());
    EXPECT_EQ(one.d_q.data, two.d_q.data) << name_of(encoding);
    EXPECT_EQ(one.d_k.data, two.d_k.data) << name_of(encoding);
    EXPECT_EQ(one.d_v.data, two.d_v.data) << name_of(encoding);
    for (const auto& [name, gradient] : one.parameters)
      EXPECT_EQ(two.parameters.at(name).data, gradient.data) << name_of(encoding) << " " << name;
  }
}

// ---- layers --------------------------------------------------------------------------------------------------------

TEST(LayerGradient, IsThatOfDifferences) {
  constexpr int kLength = 7, kHeads = 2;
  int inputs = 0;
  for (const Variant& variant : every_variant_of_width(kWidth)) {
    const bool at_input = variant.type->injection == Injection::input;
    const Geometry geometry{.length = kLength, .width = at_input ? kWidth : kWidth / kHeads, .heads = kHeads};
    if (!accepts(variant, geometry)) continue;
    for (const Projections projections : {Projections::identity, Projections::orthogonal}) {
      SCOPED_TRACE(variant.name + (projections == Projections::identity ? ", identity" : ", orthogonal"));
      LayerConfig config;
      config.heads = kHeads;
      config.encoding = variant.config;
      config.mask = inputs % 2 == 0 ? Mask::causal : Mask::none;
      config.projections = projections;
      config.seed = 5;
      if (inputs % 3 == 0) config.window = 4;
      give_learned(config.encoding, geometry);
      Tensor x = dyadic(75, {kLength, kWidth});
      for (float& value : x.data) value *= 0.5f;
      const Tensor d_output = dyadic(76, {kLength, kWidth});
      const auto loss = [&] {
        AttentionResult result;
        const Status status = layer(x, config, result);
        EXPECT_TRUE(status.ok()) << status.message;
        return status.ok() ? inner(result.output, d_output) : NAN;
      };
      LayerGradients gradients;
      const Status status = layer_gradient(x, d_output, config, gradients);
      ASSERT_TRUE(status.ok()) << status.message;
      ASSERT_EQ(gradients.d_x.shape, x.shape);
      for (std::uint64_t n = 0; n < 2; ++n) {
        const Slope slope = slope_along(x, gradients.d_x, 95 + n, kTolerance, loss);
        EXPECT_LT(slope.error, kTolerance) << "x, where differences give " << slope.value;
      }
      compare_parameters(config.encoding, gradients.parameters, 2, loss);
      inputs += at_input ? 1 : 0;
    }
  }
  EXPECT_GT(inputs, 10);
}

// ---- bad requests --------------------------------------------------------------------------------------------------

TEST(AttentionGradient, WhatIsWrongWithTheLossIsNamed) {
  const Tensor x({2, 3, 4});
  AttentionGradients out;
  const auto refusal = [&](const Tensor& d_output) { return attention_gradient(x, x, x, d_output, {}, out).message; };
  EXPECT_EQ(refusal(Tensor({2, 3, 5})), "dOutput: its shape is 2 x 3 x 5, but the output's is 2 x 3 x 4");
  EXPECT_EQ(refusal(Tensor({3, 4})), "dOutput: its shape is 3 x 4, but the output's is 2 x 3 x 4");
  Tensor bad = x;
  bad.data[7] = NAN;
  EXPECT_EQ(refusal(bad), "dOutput[7]: NaN is not a finite number");
  bad.data[7] = INFINITY;
  EXPECT_EQ(refusal(bad), "dOutput[7]: Infinity is not a finite number");
  EXPECT_EQ(attention_gradient(Tensor({3, 4}), x, x, x, {}, out).message, "q: its shape is 3 x 4; heads x tokens x width is needed");
  Tensor huge({2, 3, 4});
  for (std::size_t i = 0; i < huge.data.size(); ++i) huge.data[i] = i % 5 == 0 ? -1e30f : 1e30f;
  EXPECT_EQ(attention_gradient(huge, huge, x, x, {}, out).message, "q: scale * q k^T leaves the range of float32");
}

TEST(LayerGradient, WhatIsWrongWithTheLossIsNamed) {
  const Tensor x({3, 4});
  LayerGradients out;
  EXPECT_EQ(layer_gradient(x, Tensor({4, 3}), {}, out).message, "dOutput: its shape is 4 x 3, but the output's is 3 x 4");
  Tensor bad = x;
  bad.data[11] = NAN;
  EXPECT_EQ(layer_gradient(x, bad, {}, out).message, "dOutput[11]: NaN is not a finite number");
}

}  // namespace
}  // namespace phasor::test
