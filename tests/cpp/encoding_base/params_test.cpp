#include "phasor/params.h"

#include <gtest/gtest.h>

namespace phasor::test {
namespace {

TEST(OrderedMap, FindsValuesByNameAndKeepsTheirOrder) {
  OrderedMap<int> values = {{"two", 2}, {"one", 1}};
  EXPECT_EQ(*values.find("one"), 1);
  EXPECT_EQ(values.find("on"), nullptr);
  values["three"] = 3;
  values["two"] += 20;
  EXPECT_EQ(values.size(), 3u);
  EXPECT_EQ(values.at("two"), 22);
  EXPECT_TRUE(values.contains("three"));
  std::string order;
  for (const auto& [name, number] : values) order += name + " ";
  EXPECT_EQ(order, "two one three ");
}

}  // namespace
}  // namespace phasor::test
