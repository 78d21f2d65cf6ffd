// Random requests, valid and invalid: each is read or rejected with one error, without reads beyond
// its end.

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "wasm/flat_request.h"

namespace phasor::test {
namespace {

using phasor_js::Request;

constexpr const char* kPaths[] = {"encoding",
                                  "encoding.id",
                                  "encoding.base",
                                  "encoding.table",
                                  "encoding.table.shape",
                                  "encoding.table.data",
                                  "x",
                                  "x.shape",
                                  "x.data",
                                  "positions",
                                  "positions.shape",
                                  "positions.data",
                                  "dim",
                                  "outputs",
                                  "head",
                                  "mask",
                                  "seed",
                                  "base",
                                  "keyMask",
                                  "encoding.",
                                  "encoding.table.data.",
                                  "\xc3\xa9ncoding",
                                  ""};
constexpr const char* kTexts[] = {"rope", "alibi",  "",  "weights, pooledWeights", "weights,",
                                  ", ",   "causal", "x", "\xf0\x9f\x92\xa9"};
constexpr double kNumbers[] = {0,
                               1,
                               2,
                               3,
                               4,
                               -1,
                               0.5,
                               NAN,
                               INFINITY,
                               -INFINITY,
                               2147483648.0,
                               4294967296.0,
                               1e300,
                               9007199254740992.0};

class RequestGenerator {
 public:
  explicit RequestGenerator(unsigned seed) : engine_(seed) {}
  std::size_t random_index(std::size_t count) { return engine_() % count; }
  template <class T, std::size_t count>
  T pick(const T (&all)[count]) {
    return all[random_index(count)];
  }
  std::vector<double> random_numbers() {
    std::vector<double> out(random_index(7));
    for (double& value : out)
      value = random_index(3) == 0 ? pick(kNumbers) : static_cast<double>(random_index(4));
    return out;
  }

 private:
  std::mt19937 engine_;
};

// Reads every kind of value, unlike any single call.
Status read_everything(Request& request) {
  if (request.has("encoding")) {
    const EncodingConfig config = request.encoding();
    for (const auto& [name, value] : config.params) {
      if (const auto* t = std::get_if<Tensor>(&value)) {
        EXPECT_TRUE(!request.status().ok() || t->data.size() == numel(t->shape)) << name;
      }
    }
  }
  const Tensor x = request.tensor("x");
  EXPECT_TRUE(!request.status().ok() || x.data.size() == numel(x.shape));
  const phasor_js::RequestPositions positions = request.positions("positions");
  EXPECT_GE(positions.axes, 1);
  EXPECT_EQ(positions.values.size() % static_cast<std::size_t>(positions.axes), 0u);
  if (request.has("dim")) request.position("dim");
  request.outputs();
  request.choice<Mask>("mask", "none, causal");
  request.seed("seed");
  for (const std::uint8_t flag : request.flags("keyMask")) EXPECT_LE(flag, 1);
  request.params("encoding.");
  return request.finish();
}

void expect_named_error(const Status& status) {
  if (status.ok()) return;
  const bool names_field = status.message().find(": ") != std::string::npos ||
                           status.message().find(" is not a field of ") != std::string::npos;
  EXPECT_TRUE(names_field) << status.message();
}

TEST(RequestFuzz, ReadsOrRejectsFieldsOfEveryKind) {
  int read = 0, rejected = 0;
  for (unsigned seed = 0; seed < 4000; ++seed) {
    RequestGenerator generator(seed);
    FlatRequest flat;
    if (generator.random_index(2) == 0)
      flat.tensor("x", {1, 2}, {1, 2}).list("positions", {0, 1}).flags("keyMask", {1, 0});
    for (std::size_t field = generator.random_index(6); field > 0; --field) {
      const char* const path = generator.pick(kPaths);
      switch (generator.random_index(9)) {
        case 0: flat.number(path, generator.pick(kNumbers)); break;
        case 1: flat.flag(path, generator.random_index(2) == 0); break;
        case 2: flat.word(path, generator.pick(kTexts)); break;
        case 3: flat.words(path, generator.pick(kTexts)); break;
        case 4: flat.other(path, generator.pick(kTexts)); break;
        case 5: flat.list(path, generator.random_numbers()); break;
        case 6: flat.flags(path, generator.random_numbers()); break;
        case 7: flat.array(path, generator.random_numbers()); break;
        default: flat.object(path);
      }
    }
    Request request = flat.read("any");
    const Status status = read_everything(request);
    ++(status.ok() ? read : rejected);
    expect_named_error(status);
  }
  EXPECT_GT(read, 100);
  EXPECT_GT(rejected, 1000);
}

TEST(RequestFuzz, RejectsInconsistentLettersAndLengths) {
  int valid = 0;
  for (unsigned seed = 0; seed < 4000; ++seed) {
    RequestGenerator generator(seed);
    std::string fields;
    std::vector<double> numbers;
    std::vector<std::vector<double>> arrays;
    for (std::size_t letter = generator.random_index(8); letter > 0; --letter) {
      fields += "nyfwlbsoxz"[generator.random_index(10)];
      if (generator.random_index(2) == 0) fields += generator.pick(kPaths);
    }
    for (std::size_t remaining = generator.random_index(12); remaining > 0; --remaining) {
      numbers.push_back(generator.random_index(4) == 0
                            ? generator.pick(kNumbers)
                            : static_cast<double>(generator.random_index(14)));
    }
    if (generator.random_index(20) == 0) arrays.emplace_back();
    const FlatRequest flat(fields, numbers, arrays);
    Request request = flat.read("any");
    valid += request.status().ok();
    if (!request.status().ok()) {
      EXPECT_EQ(request.status().message(), "any: undefined is not a valid request");
    }
    expect_named_error(read_everything(request));
  }
  EXPECT_GT(valid, 0);
}

}  // namespace
}  // namespace phasor::test
