// Everything that crosses the boundary between a program and a library that another compiler may
// have built: a Status in both directions, results, views and optionals by value, and virtual
// functions of both. scripts/test/cpp-package.mjs compares the output.
#include <phasor/phasor.h>

#include <cstdio>
#include <limits>
#include <string>
#include <string_view>

namespace {

bool passed = true;

void expect(const phasor::Status& status, phasor::StatusCode code, std::string_view beginning) {
  std::printf("%s: %s\n", to_string(status.code()), status.message().c_str());
  if (status.code() == code && status.message().starts_with(beginning)) return;
  std::printf("  does not begin with %s: %s\n", to_string(code), std::string(beginning).c_str());
  passed = false;
}

// An encoding of the program, which the library calls.
class Nearest final : public phasor::Parameterless<phasor::ScoreEncoding> {
 public:
  std::optional<double> scale(int head_dim) const override {
    return head_dim == 4 ? std::optional<double>(0.25) : std::nullopt;
  }
  phasor::Status check_distances(phasor::Positions queries, phasor::Positions keys) const override {
    if (queries.count() <= keys.count()) return {};
    return phasor::Status::invalid("queries: " + std::to_string(queries.count()) +
                                   " are more than this program allows");
  }
  void add_bias(int head, phasor::Positions queries, phasor::Positions keys,
                phasor::MatrixRef tile) const override {
    for (int i = 0; i < tile.rows; ++i) {
      for (int j = 0; j < tile.columns; ++j)
        tile.row(i)[j] -=
            static_cast<float>((head + 1) * (queries[i] - keys[j]) * (queries[i] - keys[j]));
    }
  }
};

phasor::Status sum_of_rotated(const char* layout, double& sum) {
  const std::vector<double> positions = {0, 1, 2.5};
  PHASOR_TRY_ASSIGN(phasor::Tensor x, phasor::random_normal(5, {2, 3, 4}));
  PHASOR_TRY_ASSIGN(
      x, phasor::apply_rotary({.id = "rope", .params = {{"layout", std::string(layout)}}},
                              phasor::Role::query, positions, x));
  for (const float number : x.data) sum += static_cast<double>(number);
  return {};
}

}  // namespace

int main() {
  using phasor::StatusCode;
  const phasor::Tensor x = *phasor::random_normal(3, {2, 3, 4});
  phasor::Tensor broken = x;
  broken.data[5] = std::numeric_limits<float>::quiet_NaN();

  expect(phasor::create_encoding({.id = "rope"}, {.dim = 7}).status(), StatusCode::invalid_argument,
         "dim: 7 is odd");
  expect(phasor::attention(broken, x, x, {}).status(), StatusCode::invalid_argument, "q[5]: NaN");
  double sum = 0;
  expect(sum_of_rotated("backwards", sum), StatusCode::invalid_argument, "layout: \"backwards\"");
  expect(sum_of_rotated("half_split", sum), StatusCode::ok, "");
  std::printf("rotated: %.4f\n", sum);

  const auto cache = *phasor::KeyValueCache::create(
      {.heads = 2, .kv_heads = 2, .head_dim = 4, .max_length = 8, .encoding = {.id = "t5"}});
  const phasor::Status trimmed = cache->truncate(9), copy = trimmed;
  expect(copy, StatusCode::invalid_argument, "length: 9");
  std::printf("decoded: %.4f\n", static_cast<double>(cache->decode(x, x, x)->data.back()));

  const Nearest nearest;
  const auto result = phasor::attention(
      x, x, x, nearest, {.mask = phasor::Mask::causal, .outputs = {.weights = true}});
  expect(result.status(), StatusCode::ok, "");
  if (result.ok()) std::printf("nearest: %.4f\n", static_cast<double>(result->weights.data.back()));
  const phasor::Tensor one = *phasor::random_normal(4, {2, 1, 4});
  expect(phasor::attention(x, one, one, nearest, {}).status(), StatusCode::invalid_argument,
         "queries: 3 are more than this program allows");

  const phasor::EncodingInfo* type = phasor::find_encoding("alibi");
  std::printf("alibi: %zu parameters, the first is %s\n", type->params.size(),
              std::string(type->params[0].name).c_str());
  return passed ? 0 : 1;
}
