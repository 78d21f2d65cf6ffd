#pragma once
// Parses a GGUF header. The reader may have only the first bytes of the file.

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>

#include "phasor/gguf.h"

namespace phasor {

/// Reads consecutive values. After an error, or at the end of the available bytes, every read
/// returns zero. Callers check `can_read` in loops and `status` at the end.
class GgufReader {
 public:
  GgufReader(std::span<const std::uint8_t> beginning, std::uint64_t file_size)
      : bytes_(beginning), file_size_(file_size) {}

  template <class T>
  T read_number() {
    T value{};
    if (const std::uint8_t* from = read_bytes(sizeof(T))) std::memcpy(&value, from, sizeof(T));
    return value;
  }
  /// Reads a string. Error messages refer to it as `subject`, such as "the name of a tensor".
  std::string read_text(std::string_view subject);
  void read_value(const std::string& key, GgufType type, GgufValue& out);

  void fail(Status status);
  bool can_read() const { return status_.ok() && bytes_needed_ == 0; }
  const Status& status() const { return status_; }
  /// Number of bytes from the start of the file that are needed to continue, or 0 if no more bytes
  /// are needed.
  std::uint64_t bytes_needed() const { return bytes_needed_; }
  std::uint64_t offset() const { return offset_; }
  std::uint64_t remaining_bytes() const { return file_size_ - offset_; }

 private:
  /// Returns a pointer to the next `count` bytes, or nullptr if fewer are available.
  const std::uint8_t* read_bytes(std::uint64_t count);
  void skip(std::uint64_t count);
  std::uint64_t read_string_size(std::string_view subject);
  void read_array(const std::string& key, GgufArray& out);
  void skip_elements(const std::string& key, GgufType type, std::uint64_t count, int depth);
  double read_element(GgufType type);

  std::span<const std::uint8_t> bytes_;
  std::uint64_t file_size_, offset_ = 0, bytes_needed_ = 0;
  Status status_{};
};

/// Size of a number of this type in bytes. Returns 0 for strings and arrays.
std::uint64_t get_type_size(GgufType type);

}  // namespace phasor
