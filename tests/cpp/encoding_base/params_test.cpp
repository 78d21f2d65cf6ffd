#include "phasor/params.h"

#include <gtest/gtest.h>

namespace phasor::test {
namespace {

TEST(OrderedMap, FindsValuesByNameAndKeepsTheirOrder) {
  OrderedMap<int> numbers = {{"two", 2}, {"one", 1}};
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
