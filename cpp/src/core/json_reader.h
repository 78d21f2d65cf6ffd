#pragma once
// The base class of parsers for specific JSON formats. Stops at the first failure and stores its
// position.

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace phasor {

class JsonReader {
 public:
  explicit JsonReader(std::string_view json) : json_(json) {}

 protected:
  /// Reads an object. Calls entry(key) for each key; `entry` must read the value. Rejects duplicate
  /// keys.
  template <class Entry>
  void read_object(Entry entry) {
    if (!consume('{')) return;
    if (peek() == '}') return ++position_, void();
    std::vector<std::string> keys;
    do {
      keys.push_back(read_string());
      if (!consume(':')) return;
      entry(keys.back());
      if (failed_) return;
    } while (next_entry('}'));
    std::sort(keys.begin(), keys.end());
    if (!failed_ && std::adjacent_find(keys.begin(), keys.end()) != keys.end())
      fail("an object with a duplicate key");
  }
  /// Returns true if another entry follows in an object or list. Otherwise, consumes the closing
  /// bracket.
  bool next_entry(char end);
  std::string read_string();
  /// Skips white space. If `c` is next, consumes it and returns true; otherwise fails.
  bool consume(char c);
  /// Skips white space. Returns the next character without consuming it, or 0 at the end.
  char peek();
  void fail(const char* what);

  std::string_view json_;
  std::size_t position_ = 0;
  bool failed_ = false;
  const char* error_ = "";

 private:
  void read_escape(char c, std::string& out);
  std::uint32_t read_code_unit();
  std::uint32_t read_code_point();
  void skip_space();
};

}  // namespace phasor
