// Parameters as they are declared, packed and asked for by name.

#include "phasor/params.h"

#include <gtest/gtest.h>

#include <iterator>
#include <numbers>

#include "encoding/packed_params.h"

namespace phasor::test {
namespace {

constexpr ParamSpec kSpecs[] = {
    ParamSpec::log_real("base", 10000, 1e-6, 1e300, "tokens", "All eight bytes of 1e-6 and 1e300"),
    ParamSpec::real("pi", std::numbers::pi, -0.5, 4, "", ""),
    ParamSpec::integer("count", -3, -65536, 2147483647, "rows", "A summary, with a comma")
        .only_with("form", "one, two"),
    ParamSpec::choice("form", "one, two, three", "Which"),
    ParamSpec::boolean("flag", true, "Yes or no"),
    ParamSpec::tensor("table", "heads x buckets", "Trained").only_with("flag", "true"),
};

TEST(PackedParams, AreUnpackedAsTheyWere) {
  const std::vector<ParamSpec> specs = unpack(pack<kSpecs>);
  ASSERT_EQ(specs.size(), std::size(kSpecs));
  for (std::size_t i = 0; i < specs.size(); ++i) {
    const ParamSpec &was = kSpecs[i], &is = specs[i];
    EXPECT_EQ(is.name, was.name);
    EXPECT_EQ(is.kind, was.kind) << was.name;
    EXPECT_EQ(is.default_value, was.default_value) << was.name;
    EXPECT_EQ(is.min, was.min) << was.name;
    EXPECT_EQ(is.max, was.max) << was.name;
    EXPECT_EQ(is.choices.text(), was.choices.text()) << was.name;
    EXPECT_EQ(is.unit, was.unit) << was.name;
    EXPECT_EQ(is.logarithmic, was.logarithmic) << was.name;
    EXPECT_EQ(is.summary, was.summary) << was.name;
    EXPECT_EQ(is.shape, was.shape) << was.name;
    EXPECT_EQ(is.applies_when.param, was.applies_when.param) << was.name;
    EXPECT_EQ(is.applies_when.values.text(), was.applies_when.values.text()) << was.name;
  }
  EXPECT_TRUE(unpack({}).empty());
}

TEST(Named, FindsWhatWasPutUnderAName) {
  Named<int> numbers = {{"two", 2}, {"one", 1}};
  EXPECT_EQ(*numbers.find("one"), 1);
  EXPECT_EQ(numbers.find("on"), nullptr);
  numbers["three"] = 3;
  numbers["two"] += 20;
  EXPECT_EQ(numbers.size(), 3u);
  EXPECT_EQ(numbers.at("two"), 22);
  EXPECT_TRUE(numbers.contains("three"));
  std::string order;
  for (const auto& [name, number] : numbers) order += name + " ";
  EXPECT_EQ(order, "two one three ");
}

}  // namespace
}  // namespace phasor::test
