#pragma once
// Writes GGUF files by docs/gguf.md of ggml, without the tables of the library's reader.

#include <cstdint>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "broken_files.h"
#include "phasor/gguf.h"

namespace phasor::test {

/// Builds a GGUF file. Shapes are as in PyTorch.
class GgufFile {
 public:
  std::uint32_t version = 3;
  std::uint64_t alignment = 32;

  template <class T>
  GgufFile& number(const std::string& key, GgufType type, T value) {
    begin_key(key, type);
    put(metadata_, value);
    return *this;
  }
  GgufFile& count(const std::string& key, double value) {
    return number(key, GgufType::uint32, static_cast<std::uint32_t>(value));
  }
  GgufFile& real(const std::string& key, double value) {
    return number(key, GgufType::float32, static_cast<float>(value));
  }
  GgufFile& flag(const std::string& key, bool value) {
    return number(key, GgufType::boolean, static_cast<std::uint8_t>(value));
  }
  GgufFile& text(const std::string& key, const std::string& value) {
    begin_key(key, GgufType::string);
    put_text(metadata_, value);
    return *this;
  }
  GgufFile& texts(const std::string& key, const std::vector<std::string>& values) {
    begin_list(key, GgufType::string, values.size());
    for (const std::string& value : values) put_text(metadata_, value);
    return *this;
  }
  template <class T>
  GgufFile& numbers(const std::string& key, GgufType type, const std::vector<T>& values) {
    begin_list(key, type, values.size());
    for (const T value : values) put(metadata_, value);
    return *this;
  }
  /// Writes any other type by the bytes of its value.
  GgufFile& raw(const std::string& key, GgufType type, const Bytes& value) {
    begin_key(key, type);
    metadata_.insert(metadata_.end(), value.begin(), value.end());
    return *this;
  }

  GgufFile& tensor(const std::string& name, const std::vector<int>& shape, std::uint32_t type,
                   const Bytes& data) {
    pad(data_);
    return tensor_at(name, shape, type, data_.size(), data);
  }
  GgufFile& tensor_at(const std::string& name, const std::vector<int>& shape, std::uint32_t type,
                      std::uint64_t offset, const Bytes& data) {
    ++tensors_;
    put_text(infos_, name);
    put(infos_, static_cast<std::uint32_t>(shape.size()));
    for (auto axis = shape.rbegin(); axis != shape.rend(); ++axis)
      put(infos_, static_cast<std::uint64_t>(*axis));
    put(infos_, type);
    put(infos_, offset);
    data_.insert(data_.end(), data.begin(), data.end());
    return *this;
  }
  GgufFile& floats(const std::string& name, const Tensor& tensor_of_floats) {
    Bytes data(4 * tensor_of_floats.data.size());
    std::memcpy(data.data(), tensor_of_floats.data.data(), data.size());
    return tensor(name, tensor_of_floats.shape, 0, data);
  }

  std::uint64_t tensors() const { return tensors_; }
  std::uint64_t keys() const { return keys_; }

  Bytes bytes() const { return bytes(tensors_, keys_); }
  /// The file with these counts in its header, which may be wrong.
  Bytes bytes(std::uint64_t tensors, std::uint64_t keys) const {
    Bytes out = {'G', 'G', 'U', 'F'};
    put(out, version);
    put(out, tensors);
    put(out, keys);
    out.insert(out.end(), metadata_.begin(), metadata_.end());
    out.insert(out.end(), infos_.begin(), infos_.end());
    pad(out);
    out.insert(out.end(), data_.begin(), data_.end());
    return out;
  }

 private:
  template <class T>
  static void put(Bytes& target, T value) {
    const std::size_t at = target.size();
    target.resize(at + sizeof value);
    std::memcpy(target.data() + at, &value, sizeof value);
  }
  static void put_text(Bytes& target, const std::string& text) {
    put(target, static_cast<std::uint64_t>(text.size()));
    target.insert(target.end(), text.begin(), text.end());
  }
  void pad(Bytes& target) const {
    while (target.size() % alignment != 0) target.push_back(0);
  }
  void begin_key(const std::string& key, GgufType type) {
    ++keys_;
    put_text(metadata_, key);
    put(metadata_, static_cast<std::uint32_t>(type));
  }
  void begin_list(const std::string& key, GgufType type, std::size_t count) {
    begin_key(key, GgufType::array);
    put(metadata_, static_cast<std::uint32_t>(type));
    put(metadata_, static_cast<std::uint64_t>(count));
  }

  Bytes metadata_{}, infos_{}, data_{};
  std::uint64_t keys_ = 0, tensors_ = 0;
};

inline Result<GgufHeader> header_of(const Bytes& file) {
  const Result<GgufHeaderPart> part = read_gguf_header(file, file.size());
  if (!part.ok()) return part.status();
  EXPECT_EQ(part->bytes_needed, 0u);
  return part->header;
}

inline std::span<const std::uint8_t> bytes_of(const Bytes& file, const GgufTensor& tensor) {
  return std::span(file).subspan(tensor.begin, tensor.end - tensor.begin);
}

}  // namespace phasor::test
