// Results by value: Result itself, and calls whose result is assigned to one of the arguments.

#include "phasor/result.h"

#include <gtest/gtest.h>

#include <memory>
#include <type_traits>

#include "numbers.h"
#include "phasor/phasor.h"
#include "results.h"

namespace phasor::test {
namespace {

Result<int> halve(int whole) {
  if (whole % 2 != 0) return Status::invalid("whole: it is odd");
  return whole / 2;
}

Result<int> compute_quarter(int whole) {
  PHASOR_TRY_ASSIGN(const int half_value, halve(whole));
  PHASOR_TRY_ASSIGN(int quarter_value, halve(half_value));
  return quarter_value;
}

Status store_quarter(int whole, int& out) {
  PHASOR_TRY_ASSIGN(out, compute_quarter(whole));
  return {};
}

// PHASOR_TRY once declared a variable of this name, which was then initialised with itself.
class FailedOperation {
 public:
  Status status() const {
    PHASOR_TRY(status_);
    return {};
  }

 private:
  Status status_ = Status::invalid("x: is wrong");
};

TEST(Status, TryReturnsAMember) { EXPECT_EQ(FailedOperation().status().message(), "x: is wrong"); }

TEST(Result, HoldsAValueOrAFailure) {
  const Result<int> success = halve(6), failure = halve(7);
  ASSERT_TRUE(success.ok());
  EXPECT_TRUE(success.status().ok());
  EXPECT_EQ(*success, 3);
  EXPECT_EQ(success.value(), 3);
  EXPECT_FALSE(failure.ok());
  EXPECT_EQ(failure.status().code(), StatusCode::invalid_argument);
  EXPECT_EQ(failure.status().message(), "whole: it is odd");
}

TEST(Result, ValueCanBeChangedAndMovedOut) {
  Result<std::unique_ptr<Tensor>> result = std::make_unique<Tensor>(Tensor({2}, {1, 2}));
  (*result)->data[0] = 5;
  result->get()->data[1] = 6;
  const std::unique_ptr<Tensor> tensor = *std::move(result);
  EXPECT_EQ(tensor->data, (std::vector<float>{5, 6}));
  // A temporary Result returns a value, not a reference to its destroyed content.
  static_assert(std::is_same_v<decltype(*halve(2)), int>);
  static_assert(std::is_same_v<decltype(halve(2).value()), int>);
  static_assert(std::is_same_v<decltype(halve(2).status()), Status>);
}

TEST(Result, TryAssignAssignsTheValueOrReturnsTheFailure) {
  EXPECT_EQ(value_of(compute_quarter(12)), 3);
  EXPECT_EQ(compute_quarter(6).status().message(), "whole: it is odd");
  EXPECT_EQ(compute_quarter(3).status().message(), "whole: it is odd");
  int out = 7;
  EXPECT_FALSE(store_quarter(6, out).ok());
  EXPECT_EQ(out, 7);
  EXPECT_TRUE(store_quarter(8, out).ok());
  EXPECT_EQ(out, 2);
}

TEST(Result, FromFillsTheValueAndDropsItOnFailure) {
  const auto make_list = [](int value, bool fails) {
    return Result<std::vector<int>>::from([&](std::vector<int>& out) -> Status {
      out.push_back(value);
      if (fails) return Status::invalid("value: it fails");
      out.push_back(value + 1);
      return {};
    });
  };
  EXPECT_EQ(value_of(make_list(4, false)), (std::vector<int>{4, 5}));
  std::vector<int> values = {1};
  EXPECT_EQ(make_list(4, true).move_to(values).message(), "value: it fails");
  EXPECT_EQ(values, std::vector<int>{1});  // not the partial result
  EXPECT_TRUE(make_list(4, false).move_to(values).ok());
  EXPECT_EQ(values, (std::vector<int>{4, 5}));
}

TEST(ResultDeathTest, ReadingTheValueOfAFailureTerminates) {
  const Result<int> failure = halve(7);
  const Result<Tensor> missing_tensor = Status::invalid("x: it is missing");
  EXPECT_DEATH_IF_SUPPORTED((void)*failure, "");
  EXPECT_DEATH_IF_SUPPORTED((void)failure.value(), "");
  EXPECT_DEATH_IF_SUPPORTED((void)missing_tensor->rank(), "");
  EXPECT_DEATH_IF_SUPPORTED((void)halve(7).value(), "");
  EXPECT_DEATH_IF_SUPPORTED((void)Result<int>(Status{}), "");
}

// Results that are assigned to an argument of the call.

TEST(Aliasing, CombineMayReplaceItsTable) {
  const Tensor x({1, 2}, {1, 2});
  Tensor t({1, 2}, {10, 20});
  t = value_of(combine(x, t, CombineMode::add));
  EXPECT_EQ(t.data, (std::vector<float>{11, 22}));
  t = value_of(combine(t, t, CombineMode::add));
  EXPECT_EQ(t.data, (std::vector<float>{22, 44}));
  t = value_of(combine(x, t, CombineMode::concatenate));
  EXPECT_EQ(t.data, (std::vector<float>{1, 2, 22, 44}));
}

TEST(Aliasing, AttentionMayReplaceItsValues) {
  const Tensor q = dyadic(1, {2, 5, 4}), k = dyadic(2, {2, 5, 4}), v = dyadic(3, {2, 5, 4});
  const AttentionResult half_value = value_of(attention(q, k, v, {})),
                        quarter_value = value_of(attention(q, k, half_value.output, {}));
  AttentionResult out = half_value;
  out = value_of(attention(q, k, out.output, {}));
  EXPECT_EQ(out.output.data, quarter_value.output.data);
  EXPECT_GT(largest_error(out.output.data, half_value.output.data), 1e-3);
}

TEST(Aliasing, BackwardMayReplaceItsInputs) {
  const Tensor q = dyadic(1, {2, 5, 4}), k = dyadic(2, {2, 5, 4}), v = dyadic(3, {2, 5, 4}),
               d_output = dyadic(4, {2, 5, 4});
  const AttentionGradients expected = value_of(attention_backward(q, k, v, d_output, {}));
  AttentionGradients out;
  out.d_v = d_output;
  out.d_v = value_of(attention_backward(q, k, v, out.d_v, {})).d_v;
  EXPECT_EQ(out.d_v.data, expected.d_v.data);
  out.d_q = q;
  out.d_k = k;
  out.d_v = v;
  out = value_of(attention_backward(out.d_q, out.d_k, out.d_v, d_output, {}));
  EXPECT_EQ(out.d_q.data, expected.d_q.data);
  EXPECT_EQ(out.d_k.data, expected.d_k.data);
  EXPECT_EQ(out.d_v.data, expected.d_v.data);
}

TEST(Aliasing, SelfAttentionMayReplaceItsInput) {
  const Tensor x = dyadic(1, {5, 8}), d_output = dyadic(2, {5, 8});
  SelfAttentionConfig config;
  config.heads = 2;
  config.encoding.id = "rope";
  config.projections = Projections::orthogonal;
  const AttentionResult half_value = value_of(self_attention(x, config)),
                        quarter_value = value_of(self_attention(half_value.output, config));
  AttentionResult out = half_value;
  out = value_of(self_attention(out.output, config));
  EXPECT_EQ(out.output.data, quarter_value.output.data);
  SelfAttentionGradients gradients{.d_x = d_output, .parameters = {}, .options = {}};
  gradients = value_of(self_attention_backward(x, gradients.d_x, config));
  EXPECT_EQ(gradients.d_x.data, value_of(self_attention_backward(x, d_output, config)).d_x.data);
}

TEST(Aliasing, AnalysisAndRotationMayReplaceTheirInput) {
  const Tensor table({3, 2}, {1, 2, 3, 4, 5, 6});
  Tensor t = table;
  t = value_of(similarity(t, SimilarityMetric::dot));
  EXPECT_EQ(t.data, (std::vector<float>{5, 11, 17, 11, 25, 39, 17, 39, 61}));
  t = value_of(relative_shift(t));
  EXPECT_EQ(t.data,
            value_of(relative_shift(value_of(similarity(table, SimilarityMetric::dot)))).data);
  std::vector<double> positions = {0, 1};
  t = value_of(apply_rotary({.id = "rope"}, Role::query, positions, dyadic(5, {1, 2, 4})));
  const Tensor values = t;
  t = value_of(apply_rotary({.id = "rope"}, Role::query, positions, t));
  EXPECT_EQ(t.data, value_of(apply_rotary({.id = "rope"}, Role::query, positions, values)).data);
  EXPECT_NE(t.data, values.data);
}

TEST(Aliasing, DecodeMayReplaceItsValue) {
  CacheConfig config;
  config.head_dim = 4;
  config.max_length = 4;
  const Tensor q = dyadic(1, {1, 1, 4}), k = dyadic(2, {1, 1, 4}), v = dyadic(3, {1, 1, 4});
  const auto cache = value_of(KeyValueCache::create(config));
  Tensor out = v;
  for (int n = 0; n < 3; ++n) out = value_of(cache->decode(q, k, out));
  EXPECT_LT(largest_error(out.data, v.data), 1e-6);  // the value of the only token, three times
  EXPECT_EQ(cache->length(), 3);
  EXPECT_EQ(cache->decode(q, k, Tensor({1, 2, 4})).status().code(), StatusCode::invalid_argument);
  EXPECT_EQ(cache->length(), 3);
}

}  // namespace
}  // namespace phasor::test
