#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <limits>
#include <nlohmann/json.hpp>

#include "gguf_file.h"
#include "results.h"

namespace phasor::test::gguf_header_test {
namespace {

std::string rejection_message(const Bytes& file) {
  const Result<GgufHeader> header = header_of(file);
  return header.ok() ? "not rejected" : header.status().message();
}

template <class T>
T value(const GgufHeader& header, const char* key) {
  return std::get<T>(header.metadata.at(key).value);
}

Bytes read_file(const std::string& name) {
  std::ifstream stream(PHASOR_SOURCE_DIR "/tests/golden-gguf/" + name, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

const Bytes kRow(8, 0);  // two values of F32

GgufFile small_file() {
  GgufFile file;
  file.text("general.architecture", "llama").count("llama.block_count", 2);
  file.tensor("a", {3, 2}, 0, Bytes(24, 0)).tensor("b", {2}, 1, Bytes(4, 0));
  return file;
}

TEST(GgufHeader, ReadsEveryTypeThatGgufPyWrites) {
  const Bytes file = read_file("gguf-py.gguf");
  ASSERT_OK_AND_ASSIGN(const GgufHeader header, header_of(file));
  EXPECT_EQ(header.version, 3u);
  EXPECT_EQ(value<std::string>(header, "general.architecture"), "phasor-test");
  EXPECT_EQ(value<std::uint64_t>(header, "t.uint8"), 200u);
  EXPECT_EQ(value<std::int64_t>(header, "t.int8"), -100);
  EXPECT_EQ(value<std::uint64_t>(header, "t.uint16"), 60000u);
  EXPECT_EQ(value<std::int64_t>(header, "t.int16"), -30000);
  EXPECT_EQ(value<std::uint64_t>(header, "t.uint32"), 4000000000u);
  EXPECT_EQ(value<std::int64_t>(header, "t.int32"), -2000000000);
  EXPECT_EQ(value<double>(header, "t.float32"), static_cast<double>(1e-6f));
  EXPECT_EQ(value<bool>(header, "t.bool"), true);
  EXPECT_EQ(value<std::string>(header, "t.string"), "gr\u00f6\u00dfe \U0001f642");
  EXPECT_EQ(value<std::uint64_t>(header, "t.uint64"), std::numeric_limits<std::uint64_t>::max());
  EXPECT_EQ(value<std::int64_t>(header, "t.int64"), std::numeric_limits<std::int64_t>::min());
  EXPECT_EQ(value<double>(header, "t.float64"), 0.1);
  EXPECT_EQ(value<GgufArray>(header, "t.ints").numbers, (std::vector<double>{3, -4, 5}));
  EXPECT_EQ(value<GgufArray>(header, "t.flags").numbers, (std::vector<double>{1, 0}));
  EXPECT_EQ(value<GgufArray>(header, "t.reals").numbers, (std::vector<double>{0.5, -2}));
  const GgufArray word_array = value<GgufArray>(header, "t.words");
  EXPECT_TRUE(word_array.numbers.empty());
  EXPECT_EQ(value_of(read_gguf_strings(
                word_array,
                std::span(file).subspan(word_array.begin, word_array.end - word_array.begin))),
            (std::vector<std::string>{"a", "", "\u00f6lig"}));
}

TEST(GgufHeader, ReadsTheTensorsThatGgufPyWrites) {
  const Bytes file = read_file("gguf-py.gguf"), text = read_file("gguf-py.json");
  const auto expected = nlohmann::json::parse(text);
  ASSERT_OK_AND_ASSIGN(const GgufHeader header, header_of(file));
  ASSERT_EQ(header.tensors.size(), expected.size());
  for (const GgufTensor& tensor : header.tensors) {
    SCOPED_TRACE(tensor.name);
    EXPECT_EQ(tensor.shape, expected[tensor.name]["shape"].get<std::vector<int>>());
    EXPECT_EQ(tensor.begin % 64, 0u);  // the alignment that the file states
    EXPECT_EQ(value_of(dequantize(tensor, bytes_of(file, tensor))),
              expected[tensor.name]["values"].get<std::vector<float>>());
  }
}

TEST(GgufHeader, RequestsMoreBytesUntilTheHeaderIsComplete) {
  GgufFile file = small_file();
  std::vector<std::string> word_array;
  for (int n = 0; n < 5000; ++n) word_array.push_back("token " + std::to_string(n));
  file.texts("tokenizer.ggml.tokens", word_array);
  file.numbers("tokenizer.ggml.scores", GgufType::float32, std::vector<float>(5000, 1));
  const Bytes bytes = file.bytes();
  std::uint64_t available_bytes = 64;
  int read_count = 0;
  for (;; ++read_count) {
    ASSERT_LT(read_count, 20);
    const Bytes prefix(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(available_bytes));
    ASSERT_OK_AND_ASSIGN(const GgufHeaderPart part, read_gguf_header(prefix, bytes.size()));
    if (part.bytes_needed == 0) {
      const GgufArray tokens = value<GgufArray>(part.header, "tokenizer.ggml.tokens");
      EXPECT_EQ(tokens.count, 5000u);
      EXPECT_EQ(value_of(read_gguf_strings(
                    tokens, std::span(bytes).subspan(tokens.begin, tokens.end - tokens.begin))),
                word_array);
      EXPECT_EQ(part.header.tensors.size(), 2u);
      break;
    }
    ASSERT_GT(part.bytes_needed, available_bytes);
    ASSERT_LE(part.bytes_needed, bytes.size());
    available_bytes = part.bytes_needed;
  }
  EXPECT_GE(read_count, 3);
}

TEST(GgufHeader, RequestsMoreBytesForEveryIncompleteHeader) {
  const Bytes file = small_file().bytes();
  ASSERT_OK_AND_ASSIGN(const GgufHeader header, header_of(file));
  for_each_prefix(file, [&](const Bytes& prefix) {
    ASSERT_OK_AND_ASSIGN(const GgufHeaderPart part, read_gguf_header(prefix, file.size()));
    EXPECT_EQ(part.bytes_needed > 0, prefix.size() < header.end) << prefix.size();
  });
}

TEST(GgufHeader, ReadsVersion2AndRejectsOtherVersions) {
  GgufFile file = small_file();
  file.version = 2;
  EXPECT_TRUE(header_of(file.bytes()).ok());
  file.version = 1;
  EXPECT_EQ(rejection_message(file.bytes()),
            "gguf: version 1 is not supported; expected version 2 or 3");
  file.version = 0x03000000;
  EXPECT_EQ(rejection_message(file.bytes()),
            "gguf: the file is big-endian; convert it with gguf_convert_endian.py of llama.cpp");
}

TEST(GgufHeader, RejectsOtherFormats) {
  const std::string safetensors = "\x08\0\0\0\0\0\0\0{}      ";
  EXPECT_EQ(rejection_message(Bytes(safetensors.begin(), safetensors.end())),
            "gguf: the file is not a GGUF file, which begins with the letters GGUF");
  EXPECT_EQ(rejection_message({}),
            "gguf: the file is not a GGUF file, which begins with the letters GGUF");
  Bytes version_2_file = small_file().bytes();
  std::memcpy(version_2_file.data(), "tjgg", 4);
  EXPECT_EQ(rejection_message(version_2_file),
            "gguf: the file has a ggml format older than GGUF; convert the model again with "
            "convert_hf_to_gguf.py of llama.cpp");
  EXPECT_EQ(rejection_message(
                small_file().number("split.count", GgufType::uint16, std::uint16_t{3}).bytes()),
            "split.count: the file is one of several parts; join the parts with llama-gguf-split "
            "--merge");
}

TEST(GgufHeader, RejectsCountsThatExceedTheFile) {
  const GgufFile file = small_file();
  const std::uint64_t largest_count = std::numeric_limits<std::uint64_t>::max();
  EXPECT_NE(rejection_message(file.bytes(largest_count, file.keys()))
                .find("tensors, but the file has only"),
            std::string::npos);
  EXPECT_NE(rejection_message(file.bytes(file.tensors(), largest_count))
                .find("keys, but the file has only"),
            std::string::npos);
  for (const std::uint64_t count : {largest_count, largest_count / 4 + 1, std::uint64_t{1} << 33}) {
    Bytes array_bytes(12);
    const std::uint32_t type = 5;
    std::memcpy(array_bytes.data(), &type, 4);
    std::memcpy(array_bytes.data() + 4, &count, 8);
    const std::string sentence =
        rejection_message(small_file().raw("k", GgufType::array, array_bytes).bytes());
    EXPECT_NE(sentence.find("does not fit in the"), std::string::npos) << sentence;
  }
}

TEST(GgufHeader, ReadsNestedArraysAndRejectsDeepNesting) {
  // Arrays of one element each, nested to this depth around one byte.
  const auto nested_array = [](int depth) {
    Bytes out;
    for (int n = 0; n < depth; ++n) out.insert(out.end(), {9, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0});
    out.insert(out.end(), {0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 7});
    return out;
  };
  ASSERT_OK_AND_ASSIGN(const GgufHeader header,
                       header_of(small_file().raw("k", GgufType::array, nested_array(2)).bytes()));
  EXPECT_EQ(value<GgufArray>(header, "k").type, GgufType::array);
  EXPECT_EQ(header.tensors.size(), 2u);
  EXPECT_EQ(rejection_message(small_file().raw("k", GgufType::array, nested_array(100000)).bytes()),
            "k: arrays are nested more than 4 levels deep");
}

TEST(GgufHeader, RejectsDuplicateNames) {
  EXPECT_EQ(rejection_message(small_file().count("llama.block_count", 3).bytes()),
            "gguf: the key llama.block_count occurs twice");
  EXPECT_EQ(rejection_message(small_file().tensor("a", {2}, 0, kRow).bytes()),
            "gguf: a is the name of two tensors");
}

TEST(GgufHeader, RejectsTensorsThatAreNotContiguous) {
  const auto rejection_at = [](std::uint64_t second) {
    GgufFile file;
    file.tensor_at("a", {8}, 0, 0, Bytes(32, 0)).tensor_at("b", {8}, 0, second, Bytes(320, 0));
    return rejection_message(file.bytes());
  };
  EXPECT_EQ(rejection_at(32), "not rejected");
  EXPECT_EQ(rejection_at(0), "gguf: b overlaps the tensor before it");
  EXPECT_EQ(rejection_at(36),
            "gguf: b begins at byte 36, which is not a multiple of the alignment, 32");
  EXPECT_EQ(rejection_at(96), "gguf: 64 bytes before b belong to no tensor");
  const std::string behind =
      "gguf: b extends past the end of the file, which is truncated or has an invalid header";
  EXPECT_EQ(rejection_at(384), behind);
  EXPECT_EQ(rejection_at(std::numeric_limits<std::uint64_t>::max() - 31), behind);
}

TEST(GgufHeader, ReadsTensorsInAnyOrder) {
  GgufFile file;
  file.tensor_at("b", {8}, 0, 32, Bytes(32, 1)).tensor_at("a", {8}, 0, 0, Bytes(32, 2));
  ASSERT_OK_AND_ASSIGN(const GgufHeader header, header_of(file.bytes()));
  EXPECT_EQ(header.tensors[0].begin, header.tensors[1].end);
}

TEST(GgufHeader, RejectsInvalidShapesAndTypes) {
  const auto rejection_of = [](const std::vector<int>& shape, std::uint32_t type) {
    return rejection_message(GgufFile().tensor("a", shape, type, Bytes(1024, 0)).bytes());
  };
  EXPECT_EQ(rejection_of({2, 32}, 8), "not rejected");
  EXPECT_EQ(rejection_of({1, 1, 1, 1, 8}, 0), "gguf: a has 5 axes; expected at most 4");
  EXPECT_EQ(rejection_of({2, 40}, 8),
            "gguf: a has rows of 40 elements, which is not a multiple of the block size, 32");
  EXPECT_EQ(rejection_of({8}, 99), "gguf: a has the unknown ggml type 99");
  EXPECT_EQ(rejection_of({2000000}, 0),
            "gguf: a has an extent of 2000000; expected at most 1048576");
  EXPECT_NE(
      rejection_of({1048576, 1048576, 1048576, 1048576}, 0).find(" bytes, but the file has only "),
      std::string::npos);
}

TEST(GgufHeader, RejectsInvalidAlignments) {
  const char* sentence = "general.alignment: is not a power of two from 8 to 1048576";
  for (const std::uint32_t alignment : {0u, 4u, 12u, 0xFFFFFFFFu})
    EXPECT_EQ(rejection_message(
                  small_file().number("general.alignment", GgufType::uint32, alignment).bytes()),
              sentence);
  EXPECT_EQ(rejection_message(small_file().text("general.alignment", "32").bytes()), sentence);
}

TEST(GgufHeader, RejectsInvalidValues) {
  EXPECT_EQ(rejection_message(small_file().raw("k", GgufType::boolean, {2}).bytes()),
            "k: 2 is not a boolean; expected 0 or 1");
  EXPECT_EQ(rejection_message(small_file().raw("k", static_cast<GgufType>(13), {2}).bytes()),
            "k: type 13 is not known");
}

}  // namespace
}  // namespace phasor::test::gguf_header_test
