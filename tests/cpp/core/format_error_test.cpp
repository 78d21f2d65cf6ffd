#include "core/format_error.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>

#include "phasor/random.h"

namespace phasor::test {
namespace {

std::string print_value(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%g", value);
  return text;
}

TEST(ErrorDetails, FormatsFractionsLikePrintf) {
  for (const double value : {0.5, -0.25, 0.1, 0.001, 1e-4, 9.99999e-5, 1e-5, 1.5e-10, 123456.5,
                             999999.4, 0.1234564, 3.14159265, 2e-300, 5e-324})
    EXPECT_EQ(to_message(value), print_value(value));
  SplitMix64 random(3);
  for (int i = 0; i < 2000; ++i) {
    const double value =
        (random.uniform() - 0.5) * std::pow(10.0, std::floor(40 * random.uniform() - 20));
    if (value == std::floor(value)) continue;
    EXPECT_EQ(to_message(value), print_value(value)) << i;
  }
}

TEST(ErrorDetails, SpellsArgumentsInTheSelectedCase) {
  EXPECT_EQ(spell_argument(argument("max_length")), "max_length");
  set_argument_spelling(Spelling::camel_case);
  EXPECT_EQ(spell_argument(argument("max_length")), "maxLength");
  EXPECT_EQ(spell_argument(argument("d_output")), "dOutput");
  EXPECT_EQ(spell_argument(argument("q")), "q");
  // a parameter name is data and stays unchanged
  EXPECT_EQ(check_range("max_length", 0, 1, 2).message(), "max_length: 0 is outside 1 to 2");
  set_argument_spelling(Spelling::snake_case);
  EXPECT_EQ(spell_argument(argument("max_length")), "max_length");
}

TEST(ErrorDetails, FormatsWholeNumbersInfinityAndNaN) {
  EXPECT_EQ(to_message(0), "0");
  EXPECT_EQ(to_message(-2147483647), "-2147483647");
  EXPECT_EQ(to_message(4294967296.0), "4294967296");
  EXPECT_EQ(to_message(1e15), "1e+15");
  EXPECT_EQ(to_message(1e300), "1e+300");
  EXPECT_EQ(to_message(999999.7), "1e+06");
  EXPECT_EQ(to_message(-HUGE_VAL), "-Infinity");
  EXPECT_EQ(to_message(std::nan("")), "NaN");
}

TEST(ErrorDetails, ReplacesBracesByValues) {
  EXPECT_EQ(invalid("{}[{}]: {} is not {}", "x", 3, 0.5, std::vector<int>{2, 4}).message(),
            "x[3]: 0.5 is not 2 x 4");
  EXPECT_EQ(invalid("{}: expected an array {shape, data}", std::string("{}")).message(),
            "{}: expected an array {shape, data}");
}

TEST(ErrorDetails, ContainsTheArgumentAndItsValue) {
  const Status status =
      invalid("{}[{}]: {} is not a whole number", argument("key_positions"), 3, 0.1234567);
  EXPECT_EQ(status.argument(), "key_positions[3]");
  EXPECT_EQ(status.value(), "0.123457");
  EXPECT_EQ(status.number(), 0.1234567);
  EXPECT_FALSE(status.range());
  EXPECT_EQ(status.choices(), "");
}

TEST(ErrorDetails, ExcludesQuotationMarksFromTheValue) {
  const Status word_status =
      unknown("encoding: \"{}\" is unknown; expected one of {}", "ropee", ChoiceList("rope, xpos"));
  EXPECT_EQ(word_status.message(), "encoding: \"ropee\" is unknown; expected one of rope, xpos");
  EXPECT_EQ(word_status.value(), "ropee");
  EXPECT_EQ(word_status.choices(), "rope, xpos");
  EXPECT_FALSE(word_status.number());
  // quotation marks belong to the value if the message adds its own
  EXPECT_EQ(unknown("encoding: \"{}\" is unknown", "\"rope\"").value(), "\"rope\"");
  EXPECT_EQ(invalid("mask: {} is not a word", "\"rope\"").value(), "rope");
  const auto format_value = [](ParamValue value) {
    return invalid("{}{}: {} is not read", "rope_scaling.", "type", value);
  };
  EXPECT_EQ(format_value(std::string("yarn")).message(), "rope_scaling.type: \"yarn\" is not read");
  EXPECT_EQ(format_value(std::string("yarn")).value(), "yarn");
  EXPECT_EQ(format_value(true).value(), "true");
  EXPECT_EQ(format_value(2.5).number(), 2.5);
  EXPECT_EQ(format_value(Tensor({4})).value(), "a list of 4 numbers");
  EXPECT_EQ(format_value(Tensor({4})).argument(), "rope_scaling.type");
}

TEST(ErrorDetails, ContainsTheAllowedRange) {
  const Status status = check_range("length", 0, 1, 65536);
  EXPECT_EQ(status.message(), "length: 0 is outside 1 to 65536");
  ASSERT_TRUE(status.range());
  EXPECT_EQ(status.range()->min, 1);
  EXPECT_EQ(status.range()->max, 65536);
}

TEST(ErrorDetails, DoesNotReportOtherWordsAsTheValue) {
  const Status count_status =
      invalid("table: {} rows are too few; at least {} are needed", detail(1), 2);
  EXPECT_EQ(count_status.message(), "table: 1 rows are too few; at least 2 are needed");
  EXPECT_EQ(count_status.argument(), "table");
  EXPECT_EQ(count_status.value(), "");
  EXPECT_FALSE(count_status.number());
  EXPECT_EQ(invalid("x: has shape {}; expected length x dim", std::vector<int>{3}).value(), "");
  const Status field_status = unknown("{} is not a field of {}", Subject{"scle"}, "attention");
  EXPECT_EQ(field_status.message(), "scle is not a field of attention");
  EXPECT_EQ(field_status.argument(), "scle");
  EXPECT_EQ(unknown("\"{}\" is not a function of the engine", "attend").argument(), "");
}

TEST(ErrorDetails, ColonsInValuesDoNotEndTheArgument) {
  const Status status =
      unknown("{}: \"{}\" is unknown; expected one of {}", "a: b", "c: d", ChoiceList("e: f"));
  EXPECT_EQ(status.argument(), "a: b");
  EXPECT_EQ(status.value(), "c: d");
  EXPECT_EQ(status.choices(), "e: f");
}

TEST(ErrorDetails, RenamesTheArgumentInMessageAndDetails) {
  const auto unknown_key_error = [](const char* path) {
    return unknown("{}: {} is unknown; expected one of {}", path, "c", ChoiceList("a, b"));
  };
  const Status status = rename_argument(unknown_key_error("x[3]"), "x", "positions");
  EXPECT_EQ(status.message(), "positions[3]: c is unknown; expected one of a, b");
  EXPECT_EQ(status.argument(), "positions[3]");
  EXPECT_EQ(status.value(), "c");
  EXPECT_EQ(status.choices(), "a, b");
  EXPECT_EQ(rename_argument(unknown_key_error("positions"), "positions", "x").choices(), "a, b");
  EXPECT_EQ(rename_argument(unknown_key_error("xy"), "x", "q").argument(), "xy");
  // a message without details
  EXPECT_EQ(rename_argument(Status::invalid("x: it is missing"), "x", "q").message(),
            "x: it is missing");
  EXPECT_TRUE(rename_argument({}, "x", "q").ok());
}

TEST(ErrorDetails, SuccessHasNoDetails) {
  const Status status;
  EXPECT_EQ(status.argument(), "");
  EXPECT_EQ(status.value(), "");
  EXPECT_EQ(status.choices(), "");
  EXPECT_FALSE(status.number());
  EXPECT_FALSE(status.range());
}

}  // namespace
}  // namespace phasor::test
