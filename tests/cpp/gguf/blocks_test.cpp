// Quantised blocks compared with values of gguf-py and with a decoder in double that shares no code
// with the library.

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>

#include "gguf_blocks.h"
#include "gguf_file.h"
#include "results.h"

namespace phasor::test {
namespace {

struct BlockCase {
  std::string type;
  Bytes bytes;
  std::vector<double> values;  // INFINITY where the value is not finite
};

const std::vector<BlockCase>& block_cases() {
  static const std::vector<BlockCase> all = [] {
    std::ifstream stream(PHASOR_SOURCE_DIR "/tests/golden-gguf/blocks.json");
    std::vector<BlockCase> out;
    const auto file = nlohmann::json::parse(stream);
    for (const auto& entry : file["cases"]) {
      BlockCase& block_case = out.emplace_back();
      block_case.type = entry["type"].get<std::string>();
      const auto hex = entry["hex"].get<std::string>();
      for (std::size_t i = 0; i < hex.size(); i += 2)
        block_case.bytes.push_back(
            static_cast<std::uint8_t>(std::stoi(hex.substr(i, 2), nullptr, 16)));
      for (const auto& value : entry["values"])
        block_case.values.push_back(value.is_number() ? value.get<double>() : INFINITY);
    }
    return out;
  }();
  return all;
}

GgufTensor tensor_of(std::string_view dtype, std::size_t terms, std::size_t bytes) {
  return {
      .name = "t", .dtype = dtype, .shape = {static_cast<int>(terms)}, .begin = 0, .end = bytes};
}

TEST(GgufBlocks, DequantizesLikeGgufPy) {
  std::vector<std::string> types;
  for (const BlockCase& block_case : block_cases()) {
    SCOPED_TRACE(block_case.type);
    types.push_back(block_case.type);
    const auto finite =
        static_cast<std::size_t>(std::find_if(block_case.values.begin(), block_case.values.end(),
                                              [](double value) { return !std::isfinite(value); }) -
                                 block_case.values.begin());
    const std::size_t bytes = block_case.bytes.size() * finite / block_case.values.size();
    const Bytes first_bytes(block_case.bytes.begin(),
                            block_case.bytes.begin() + static_cast<std::ptrdiff_t>(bytes));
    const auto actual =
        value_of(dequantize(tensor_of(block_case.type, finite, bytes), first_bytes));
    ASSERT_EQ(actual.size(), finite);
    for (std::size_t i = 0; i < finite; ++i)
      EXPECT_EQ(actual[i], static_cast<float>(block_case.values[i])) << i;
    if (finite == block_case.values.size()) continue;
    EXPECT_EQ(
        dequantize(tensor_of(block_case.type, block_case.values.size(), block_case.bytes.size()),
                   block_case.bytes)
            .status()
            .message(),
        "t: contains a number that is not finite");
  }
  EXPECT_EQ(types.size(), 10u);
}

// Scales are random too. Blocks whose scale is infinite or NaN are rejected and not compared.
TEST(GgufBlocks, DequantizesLikeTheDecoderInDouble) {
  SplitMix64 random(11);
  for (const BlockOracle& oracle : block_oracles()) {
    SCOPED_TRACE(oracle.dtype);
    int compared_count = 0;
    for (int n = 0; n < 300; ++n) {
      Bytes block(oracle.bytes);
      for (std::uint8_t& byte : block) byte = static_cast<std::uint8_t>(random.next());
      const auto actual = dequantize(tensor_of(oracle.dtype, oracle.terms, block.size()), block);
      if (!actual.ok()) continue;
      ++compared_count;
      for (int i = 0; i < static_cast<int>(oracle.terms); ++i) {
        const double expected = oracle.term(block.data(), i);
        ASSERT_EQ((*actual)[static_cast<std::size_t>(i)], static_cast<float>(expected)) << i;
      }
    }
    EXPECT_GT(compared_count, 200);
  }
}

TEST(GgufBlocks, Int8BlocksHaveTheSameValues) {
  for (const BlockCase& block_case : block_cases()) {
    SCOPED_TRACE(block_case.type);
    const GgufTensor tensor =
        tensor_of(block_case.type, block_case.values.size(), block_case.bytes.size());
    const auto blocks = to_int8_blocks(tensor, block_case.bytes);
    if (block_case.type == "F16" || block_case.type == "BF16") {
      EXPECT_EQ(blocks.status().message(), "t: type " + block_case.type + " is not a block type");
      continue;
    }
    ASSERT_TRUE(blocks.ok());
    EXPECT_EQ(blocks->terms, block_case.type == "Q6_K" ? 16 : 32);
    ASSERT_EQ(blocks->values.size(), block_case.values.size());
    for (std::size_t i = 0; i < block_case.values.size(); ++i) {
      const std::size_t block_index = i / static_cast<std::size_t>(blocks->terms);
      const float product = blocks->scale[block_index] * static_cast<float>(blocks->values[i]);
      EXPECT_EQ(product + blocks->offset[block_index], static_cast<float>(block_case.values[i]))
          << i;
    }
  }
}

TEST(GgufBlocks, DequantizesSingleRows) {
  for (const BlockCase& block_case : block_cases()) {
    if (block_case.type == "F16" || block_case.type == "BF16" || block_case.values.size() % 2 != 0)
      continue;
    GgufTensor tensor =
        tensor_of(block_case.type, block_case.values.size() / 2, block_case.bytes.size());
    tensor.shape.insert(tensor.shape.begin(), 2);
    const auto row_bytes = static_cast<std::size_t>(gguf_row_bytes(tensor));
    ASSERT_EQ(2 * row_bytes, block_case.bytes.size());
    const auto last_row =
        value_of(dequantize(tensor, std::span(block_case.bytes).subspan(row_bytes)));
    ASSERT_EQ(last_row.size(), block_case.values.size() / 2);
    EXPECT_EQ(last_row.back(), static_cast<float>(block_case.values.back()));
    EXPECT_FALSE(dequantize(tensor, std::span(block_case.bytes).subspan(1)).ok());
  }
}

TEST(GgufBlocks, RejectsOtherTypesAndNamesTheSupportedOnes) {
  const GgufTensor tensor = tensor_of("IQ4_XS", 256, 136);
  const std::string sentence =
      "t: the block type IQ4_XS is not supported; requantise the file with llama-quantize "
      "--allow-requantize to Q8_0, or convert the model to one of F32, F16, BF16, Q8_0, Q4_0, "
      "Q4_1, "
      "Q5_0, Q5_1, Q4_K, Q5_K, Q6_K";
  EXPECT_EQ(dequantize(tensor, Bytes(136)).status().message(), sentence);
  EXPECT_EQ(to_int8_blocks(tensor, Bytes(136)).status().message(), sentence);
  EXPECT_TRUE(check_gguf_dtype(tensor_of("BF16", 1, 2)).ok());
  EXPECT_FALSE(check_gguf_dtype(tensor_of("I8", 1, 1)).ok());
}

// An infinite scale makes every value of its block infinite or NaN.
TEST(GgufBlocks, RejectsAScaleThatIsNotFinite) {
  Bytes block(34, 0);
  block[1] = 0x7C;  // infinity, times zeros
  EXPECT_EQ(dequantize(tensor_of("Q8_0", 32, 34), block).status().message(),
            "t: contains a number that is not finite");
}

}  // namespace
}  // namespace phasor::test
