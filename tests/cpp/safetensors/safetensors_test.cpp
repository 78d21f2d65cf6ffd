#include "phasor/safetensors.h"

#include <gtest/gtest.h>

#include <cstring>
#include <string>

#include "results.h"

namespace phasor {
namespace {

using test::value_of;

std::vector<std::uint8_t> make_file(const std::string& header, std::size_t data_size) {
  std::vector<std::uint8_t> out(8 + header.size() + data_size);
  const std::uint64_t length = header.size();
  std::memcpy(out.data(), &length, 8);
  std::memcpy(out.data() + 8, header.data(), header.size());
  return out;
}

std::string rejection_message(const std::string& header, std::size_t data_size) {
  const Result<SafetensorsFile> read = read_safetensors(make_file(header, data_size));
  return read.ok() ? "not refused" : read.status().message();
}

SafetensorsFile example() {
  SafetensorsFile file;
  file.tensors.add("a", Tensor({2, 3}, {0, 1, -2, 0.5f, 1024, -0.25f}));
  file.tensors.add("layers.0.\"b\"", Tensor({1}, {3}));
  file.metadata.add("task", "line\nand \\ \"quote\"");
  return file;
}

TEST(Safetensors, RoundTripsNamesShapesAndValues) {
  for (const DType stored : {DType::f32, DType::f16}) {
    const auto bytes = value_of(write_safetensors(example(), stored));
    const SafetensorsFile read = value_of(read_safetensors(bytes));
    ASSERT_EQ(read.tensors.size(), 2u);
    EXPECT_EQ(read.tensors.at("a").shape, (std::vector<int>{2, 3}));
    EXPECT_EQ(read.tensors.at("a").data, example().tensors.at("a").data);
    EXPECT_EQ(read.tensors.at("layers.0.\"b\"").data, std::vector<float>{3});
    EXPECT_EQ(read.metadata.at("task"), example().metadata.at("task"));
    EXPECT_EQ(bytes.size() % 2, 0u);
  }
}

TEST(Safetensors, AlignsDataToEightBytes) {
  const auto bytes = value_of(write_safetensors(example(), DType::f32));
  std::uint64_t length = 0;
  std::memcpy(&length, bytes.data(), 8);
  EXPECT_EQ(length % 8, 0u);
}

TEST(Safetensors, ReadsFilesOfOtherWriters) {
  // White space, an escape, and tensors in another order than their data.
  const std::string header =
      " { \"b\" : {\"shape\":[1], \"dtype\":\"F32\",\"data_offsets\":[4,8]},\n"
      "\"\\u0061\":{\"dtype\":\"F16\",\"shape\":[2],\"data_offsets\":[0,4]}, \"__metadata__\":{}} ";
  auto bytes = make_file(header, 8);
  const std::uint16_t halves[] = {0x3c00, 0xc000};
  const float value = 7;
  std::memcpy(bytes.data() + 8 + header.size(), halves, 4);
  std::memcpy(bytes.data() + 8 + header.size() + 4, &value, 4);
  const SafetensorsFile read = value_of(read_safetensors(bytes));
  EXPECT_EQ(read.tensors.at("a").data, (std::vector<float>{1, -2}));
  EXPECT_EQ(read.tensors.at("b").data, std::vector<float>{7});
}

// JSON escapes a character above U+FFFF as a surrogate pair.
TEST(Safetensors, ReadsUnicodeEscapesAndRejectsUnpairedSurrogates) {
  const auto name_of = [](const std::string& escaped_name) {
    const Result<SafetensorsFile> read = read_safetensors(make_file(
        "{\"" + escaped_name + "\":{\"dtype\":\"F32\",\"shape\":[0],\"data_offsets\":[0,0]}}", 0));
    return read.ok() ? read->tensors.begin()->first : read.status().message();
  };
  EXPECT_EQ(name_of("\\u0041\\u00e9\\u20AC"), "A\u00e9\u20ac");
  EXPECT_EQ(name_of("\\ud83d\\ude00"), "\U0001f600");
  EXPECT_EQ(name_of("\\uD800\\uDC00\\uDBFF\\uDFFF"), "\U00010000\U0010ffff");
  for (const char* surrogate :
       {"\\ud83d", "\\ude00", "\\ud83dx", "\\ud83d\\u0041", "\\ud83d\\ud83d"}) {
    EXPECT_NE(name_of(surrogate).find("found an unpaired surrogate at byte"), std::string::npos)
        << name_of(surrogate);
  }
}

TEST(Safetensors, ReadsBfloat16) {
  const std::string header = "{\"a\":{\"dtype\":\"BF16\",\"shape\":[2],\"data_offsets\":[0,4]}}";
  auto bytes = make_file(header, 4);
  const std::uint16_t numbers[] = {0x3f80, 0xc049};
  std::memcpy(bytes.data() + 8 + header.size(), numbers, 4);
  EXPECT_EQ(value_of(read_safetensors(bytes)).tensors.at("a").data,
            (std::vector<float>{1, -3.140625f}));
}

// 64,000 names would take seconds if each were compared with all previous ones.
TEST(Safetensors, ReadsManyNamesAndRejectsADuplicate) {
  std::string header = "{";
  for (int n = 0; n < 64000; ++n)
    header +=
        "\"" + std::to_string(n) + "\":{\"dtype\":\"F32\",\"shape\":[0],\"data_offsets\":[0,0]},";
  header.back() = '}';
  EXPECT_EQ(value_of(read_safetensors(make_file(header, 0))).tensors.size(), 64000u);
  header.back() = ',';
  EXPECT_NE(rejection_message(
                header + "\"7\":{\"dtype\":\"F32\",\"shape\":[0],\"data_offsets\":[0,0]}}", 0)
                .find("a duplicate key"),
            std::string::npos);
}

TEST(Safetensors, RejectsInvalidHeaderLengths) {
  EXPECT_FALSE(read_safetensors({}).ok());
  std::vector<std::uint8_t> huge_header(16);
  huge_header[6] = 1;
  EXPECT_NE(read_safetensors(huge_header).status().message().find("at most 100000000"),
            std::string::npos)
      << read_safetensors(huge_header).status().message();
  std::vector<std::uint8_t> long_header = make_file("{}", 0);
  long_header[0] = 200;
  EXPECT_NE(read_safetensors(long_header).status().message().find("the header has 200 bytes"),
            std::string::npos);
}

TEST(Safetensors, RejectsInvalidHeaders) {
  const auto make_header = [](const std::string& info) { return "{\"a\":{" + info + "}}"; };
  const std::string shape = "\"dtype\":\"F32\",\"shape\":[2,2],";
  EXPECT_EQ(rejection_message(make_header(shape + "\"data_offsets\":[0,16]"), 12),
            "weights: the file has 12 bytes of data, but the header describes 16");
  EXPECT_EQ(rejection_message(make_header(shape + "\"data_offsets\":[0,16]"), 20),
            "weights: the file has 20 bytes of data, but the header describes 16");
  EXPECT_EQ(rejection_message(make_header(shape + "\"data_offsets\":[4,20]"), 20),
            "weights: a begins at byte 4 of the data, but the previous tensor ends at 0");
  EXPECT_EQ(rejection_message(make_header(shape + "\"data_offsets\":[0,12]"), 12),
            "weights: a with shape 2 x 2 does not match its 12 bytes");
  EXPECT_EQ(
      rejection_message(make_header("\"dtype\":\"I64\",\"shape\":[2],\"data_offsets\":[0,16]"), 16),
      "weights: a is stored as I64; expected F32, F16 or BF16");
  const std::string far = "\"dtype\":\"F32\",\"shape\":[4294967296,4294967296],";
  EXPECT_NE(
      rejection_message(make_header(far + "\"data_offsets\":[0,16]"), 16).find("at most 1048576"),
      std::string::npos);
  for (const char* broken :
       {"{\"a\":{\"dtype\":\"F32\"", "[]", "{\"a\":1}", "{\"a\":{}}", "{} x", "{\"a\"",
        "{\"a\":{\"dtype\":\"F32\",\"shape\":[-1],\"data_offsets\":[0,4]}}",
        "{\"a\":{\"dtype\":\"F32\",\"shape\":[99999999999999999999],\"data_offsets\":[0,4]}}",
        "{\"a\":{\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[0]}}",
        "{\"a\":{\"dtype\":\"F32\",\"shape\":[1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,"
        "1,1,"
        "1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1],"
        "\"data_offsets\":[0,4]}}",
        "{\"a\":{\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[0,4],\"x\":1}}", "{\"a\\q\":{}}",
        "{\"__metadata__\":{\"a\":\"1\",\"a\":\"2\"}}"}) {
    EXPECT_NE(rejection_message(broken, 4).find("the header is not a JSON object of tensors"),
              std::string::npos)
        << broken << ": " << rejection_message(broken, 4);
  }
}

TEST(Safetensors, RejectsOverlapsAndGaps) {
  const auto two_tensors = [](int begin, int end) {
    return "{\"a\":{\"dtype\":\"F32\",\"shape\":[2],\"data_offsets\":[0,8]},"
           "\"b\":{\"dtype\":\"F32\",\"shape\":[2],\"data_offsets\":[" +
           std::to_string(begin) + "," + std::to_string(end) + "]}}";
  };
  EXPECT_TRUE(read_safetensors(make_file(two_tensors(8, 16), 16)).ok());
  EXPECT_EQ(rejection_message(two_tensors(4, 12), 12),
            "weights: b begins at byte 4 of the data, but the previous tensor ends at 8");
  EXPECT_EQ(rejection_message(two_tensors(12, 20), 20),
            "weights: b begins at byte 12 of the data, but the previous tensor ends at 8");
}

TEST(Safetensors, RejectsNonfiniteValues) {
  auto bytes = make_file("{\"a\":{\"dtype\":\"F16\",\"shape\":[2],\"data_offsets\":[0,4]}}", 4);
  bytes[bytes.size() - 1] = 0x7c;
  EXPECT_EQ(read_safetensors(bytes).status().message(), "a[1]: Infinity is not a finite number");
}

// A file with duplicate names could not be read back.
TEST(Safetensors, RejectsDuplicateAndReservedNamesOnWrite) {
  SafetensorsFile file;
  file.tensors.add("a", Tensor({1}, {1}));
  file.tensors.add("a", Tensor({1}, {2}));
  EXPECT_EQ(write_safetensors(file, DType::f32).status().message(),
            "weights: a is the name of two tensors");
  EXPECT_EQ(write_safetensors({.metadata = {{"b", "1"}, {"c", ""}, {"b", "2"}}}, DType::f32)
                .status()
                .message(),
            "metadata: b occurs twice");
  EXPECT_EQ(write_safetensors({.tensors = {{"__metadata__", Tensor({1})}}}, DType::f32)
                .status()
                .message(),
            "weights: __metadata__ is reserved for metadata; expected another tensor name");
}

TEST(Safetensors, RejectsValuesBeyondTheF16Range) {
  SafetensorsFile file;
  file.tensors.add("a", Tensor({1}, {70000}));
  EXPECT_TRUE(write_safetensors(file, DType::f32).ok());
  EXPECT_EQ(write_safetensors(file, DType::f16).status().message(),
            "a: 70000 is too large for F16, whose maximum is 65504");
}

}  // namespace
}  // namespace phasor
