#pragma once
// A JSON parser, the base class of readers for specific formats. The first failure is stored with
// its position and ends parsing.

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
  /// Reads an object: calls entry(key) for each key, and entry reads the value. Duplicate keys are
  /// rejected.
  template <class Entry>
  void object(Entry entry) {
    if (!take('{')) return;
    if (peek() == '}') return ++at_, void();
    std::vector<std::string> keys;
    do {
      keys.push_back(string());
      if (!take(':')) return;
      entry(keys.back());
      if (failed_) return;
    } while (next_of_list('}'));
    std::sort(keys.begin(), keys.end());
    if (!failed_ && std::adjacent_find(keys.begin(), keys.end()) != keys.end())
      fail("the end of an object with a duplicate key");
  }
  /// True if another entry of an object or list follows; otherwise consumes its end.
  bool next_of_list(char end);
  std::string string();
  /// Skips white space; if `c` is next, consumes it and returns true.
  bool take(char c);
  /// The next character after white space, or 0.
  char peek();
  void fail(const char* what);

  std::string_view json_;
  std::size_t at_ = 0;
  bool failed_ = false;
  const char* what_ = "";  ///< describes the first failure

 private:
  void escape(char c, std::string& out);
  std::uint32_t code_unit();
  std::uint32_t code_point();
  void skip_space();
};

}  // namespace phasor
