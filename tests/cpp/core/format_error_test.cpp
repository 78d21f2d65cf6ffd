#include "core/format_error.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>

#include "phasor/random.h"

namespace phasor::test {
namespace {

std::string printed(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%g", value);
  return text;
}

TEST(Sentence, NumbersAreWrittenAsPrintfWritesThem) {
  for (const double value :
       {0.5, -0.25, 0.1, 0.001, 1e-4, 9.99999e-5, 1e-5, 1.5e-10, 123456.5, 999999.4, 0.1234564, 3.14159265, 2e-300, 5e-324})
    EXPECT_EQ(to_words(value), printed(value));
  SplitMix64 random(3);
  for (int i = 0; i < 2000; ++i) {
    const double value = (random.uniform() - 0.5) * std::pow(10.0, std::floor(40 * random.uniform() - 20));
    if (value == std::floor(value)) continue;
    EXPECT_EQ(to_words(value), printed(value)) << i;
  }
}

TEST(Sentence, ArgumentsAreSpelledAsTheCallersLanguageDoes) {
  EXPECT_EQ(spelled(argument("max_length")), "max_length");
  spell_arguments(Spelling::camel_case);
  EXPECT_EQ(spelled(argument("max_length")), "maxLength");
  EXPECT_EQ(spelled(argument("d_output")), "dOutput");
  EXPECT_EQ(spelled(argument("q")), "q");
  EXPECT_EQ(check_range("max_length", 0, 1, 2).message(), "max_length: 0 is outside 1 to 2");  // a parameter's name is data
  spell_arguments(Spelling::snake_case);
  EXPECT_EQ(spelled(argument("max_length")), "max_length");
}

TEST(Sentence, WholeNumbersAreWrittenInFull) {
  EXPECT_EQ(to_words(0), "0");
  EXPECT_EQ(to_words(-2147483647), "-2147483647");
  EXPECT_EQ(to_words(4294967296.0), "4294967296");
  EXPECT_EQ(to_words(1e15), "1e+15");
  EXPECT_EQ(to_words(1e300), "1e+300");
  EXPECT_EQ(to_words(999999.7), "1e+06");
  EXPECT_EQ(to_words(-HUGE_VAL), "-Infinity");
  EXPECT_EQ(to_words(std::nan("")), "NaN");
}

TEST(Sentence, ValuesTakeThePlacesOfBraces) {
  EXPECT_EQ(invalid("{}[{}]: {} is not {}", "x", 3, 0.5, std::vector<int>{2, 4}).message(), "x[3]: 0.5 is not 2 x 4");
  EXPECT_EQ(invalid("{}: an array {shape, data} is needed", std::string("{}")).message(), "{}: an array {shape, data} is needed");
}

}  // namespace
}  // namespace phasor::test
