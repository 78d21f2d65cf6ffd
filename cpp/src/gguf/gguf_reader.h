#pragma once
// The bytes of a GGUF header, of which only the beginning may be there.

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>

#include "phasor/gguf.h"

namespace phasor {

/// Reads one thing after the other. Once the bytes at hand have ended, or something was rejected,
/// every read returns zero: a caller checks `goes_on` where it loops, and the rest at the end.
class GgufReader {
 public:
  GgufReader(std::span<const std::uint8_t> beginning, std::uint64_t file_size)
      : bytes_(beginning), file_size_(file_size) {}

  template <class T>
  T number() {
    T value{};
    if (const std::uint8_t* from = take(sizeof(T))) std::memcpy(&value, from, sizeof(T));
    return value;
  }
  /// "general.name" is the subject of the sentence about a string that is too long.
  std::string text(std::string_view subject);
  /// The value of this type of the key.
  void value(const std::string& key, GgufType type, GgufValue& out);

  void fail(Status status);
  bool goes_on() const { return status_.ok() && needed_ == 0; }
  const Status& status() const { return status_; }
  /// Bytes from the beginning of the file that have to be there; 0 if those at hand were enough.
  std::uint64_t needed() const { return needed_; }
  std::uint64_t at() const { return at_; }
  std::uint64_t left() const { return file_size_ - at_; }

 private:
  /// The next bytes, or nullptr where they are not at hand.
  const std::uint8_t* take(std::uint64_t count);
  void skip(std::uint64_t count);
  std::uint64_t string_size(std::string_view subject);
  void array(const std::string& key, GgufArray& out);
  void skip_elements(const std::string& key, GgufType type, std::uint64_t count, int depth);
  double element(GgufType type);

  std::span<const std::uint8_t> bytes_;
  std::uint64_t file_size_, at_ = 0, needed_ = 0;
  Status status_{};
};

/// Bytes of a number of this type; 0 of strings and arrays.
std::uint64_t size_of(GgufType type);

}  // namespace phasor
