// Truncated and corrupted safetensors files: each is read, or rejected with an error message.

#include "broken_files.h"

#include <gtest/gtest.h>

#include <string>

#include "phasor/safetensors.h"
#include "results.h"

namespace phasor::test {
namespace {

Bytes small_file() {
  SafetensorsFile file;
  file.tensors.add("layers.0.weight", Tensor({2, 3}, {0, 1, -2, 0.5f, 1024, -0.25f}));
  file.tensors.add("a \"name\" \\ \xF0\x9F\x98\x80", Tensor({1}, {3}));
  file.tensors.add("empty", Tensor({0, 4}));
  file.metadata.add("format", "pt\n");
  return value_of(write_safetensors(file, DType::f32));
}

// A file as other writers create it: escapes, white space, tensors in another order.
Bytes file_of_another_writer() {
  const std::string header =
      " { \"b\\u00e9\\ud83d\\ude00\" : {\"shape\":[1 , 1], "
      "\"dtype\":\"BF16\",\"data_offsets\":[4,6]},"
      "\n\"\\u0061\":{\"dtype\":\"F16\",\"shape\":[2],\"data_offsets\":[0,4]}, "
      "\"__metadata__\":{}} ";
  Bytes file(8);
  file[0] = static_cast<std::uint8_t>(header.size());
  file.insert(file.end(), header.begin(), header.end());
  file.resize(file.size() + 6, 0x3c);
  return file;
}

void expect_read_or_rejected(const Bytes& bytes) {
  const Result<SafetensorsFile> read = read_safetensors(bytes);
  if (!read.ok()) {
    EXPECT_GT(read.status().message().size(), 20u);
    return;
  }
  for (const auto& [name, tensor] : read->tensors)
    EXPECT_EQ(tensor.data.size(), numel(tensor.shape)) << name;
}

TEST(BrokenSafetensors, RejectsTruncatedFiles) {
  for (const Bytes& file : {small_file(), file_of_another_writer()}) {
    ASSERT_TRUE(read_safetensors(file).ok()) << read_safetensors(file).status().message();
    for_each_prefix(file, [](const Bytes& cut) {
      const Result<SafetensorsFile> read = read_safetensors(cut);
      ASSERT_FALSE(read.ok()) << cut.size() << " bytes";
      EXPECT_GT(read.status().message().size(), 20u);
    });
  }
}

TEST(BrokenSafetensors, ReadsOrRejectsCorruptedFiles) {
  for (const Bytes& file : {small_file(), file_of_another_writer()}) {
    for_each_corruption(file, 0, file.size(), 5000, expect_read_or_rejected);
    for_each_corruption(file, 8, header_end(file), 20000, expect_read_or_rejected);
  }
}

// Structural changes, which changed bytes rarely cause: parts of the header are removed, repeated
// or moved.
TEST(BrokenSafetensors, ReadsOrRejectsRearrangedHeaders) {
  const Bytes file = small_file();
  const std::size_t end = header_end(file);
  const std::string header(file.begin() + 8, file.begin() + static_cast<std::ptrdiff_t>(end));
  SplitMix64 random(3);
  for (int n = 0; n < 20000; ++n) {
    std::string changed_header = header;
    for (std::uint64_t edits_left = 1 + random.next() % 3; edits_left > 0; --edits_left) {
      const std::size_t offset = random.next() % changed_header.size(), size = random.next() % 24;
      const std::string part = changed_header.substr(offset, size);
      if (random.next() % 2 == 0 && part.size() < changed_header.size())
        changed_header.erase(offset, size);
      if (random.next() % 3 != 0)
        changed_header.insert(random.next() % (changed_header.size() + 1), part);
      if (changed_header.empty()) changed_header = " ";
    }
    Bytes bytes(8);
    bytes[0] = static_cast<std::uint8_t>(changed_header.size() & 255);
    bytes[1] = static_cast<std::uint8_t>(changed_header.size() >> 8);
    bytes.insert(bytes.end(), changed_header.begin(), changed_header.end());
    bytes.insert(bytes.end(), file.begin() + static_cast<std::ptrdiff_t>(end), file.end());
    expect_read_or_rejected(bytes);
  }
}

}  // namespace
}  // namespace phasor::test
