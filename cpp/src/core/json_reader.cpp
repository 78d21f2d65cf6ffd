#include "core/json_reader.h"

namespace phasor {

namespace {

void add_utf8(std::uint32_t code_point, std::string& out) {
  const auto append_byte = [&out](std::uint32_t bits) { out += static_cast<char>(bits); };
  if (code_point < 0x80) return append_byte(code_point);
  if (code_point < 0x800) {
    append_byte(0xC0 | (code_point >> 6));
  } else if (code_point < 0x10000) {
    append_byte(0xE0 | (code_point >> 12));
    append_byte(0x80 | ((code_point >> 6) & 0x3F));
  } else {
    append_byte(0xF0 | (code_point >> 18));
    append_byte(0x80 | ((code_point >> 12) & 0x3F));
    append_byte(0x80 | ((code_point >> 6) & 0x3F));
  }
  append_byte(0x80 | (code_point & 0x3F));
}

}  // namespace

bool JsonReader::next_entry(char end) {
  if (failed_) return false;
  const char c = peek();
  ++position_;
  if (c == ',') return true;
  if (c != end) --position_, fail("no comma or closing bracket");
  return false;
}

std::string JsonReader::read_string() {
  std::string out;
  if (!consume('"')) return out;
  while (position_ < json_.size() && json_[position_] != '"') {
    const char c = json_[position_++];
    if (static_cast<unsigned char>(c) < 0x20) return fail("a control character"), out;
    if (c != '\\') {
      out += c;
      continue;
    }
    if (position_ == json_.size()) break;
    read_escape(json_[position_++], out);
    if (failed_) return out;
  }
  if (position_ == json_.size()) return fail("an unterminated string"), out;
  ++position_;
  return out;
}

void JsonReader::read_escape(char c, std::string& out) {
  switch (c) {
    case 'n': out += '\n'; return;
    case 't': out += '\t'; return;
    case 'r': out += '\r'; return;
    case 'b': out += '\b'; return;
    case 'f': out += '\f'; return;
    case '"':
    case '\\':
    case '/': out += c; return;
    case 'u': return add_utf8(read_code_point(), out);
    default: fail("an unknown escape");
  }
}

std::uint32_t JsonReader::read_code_unit() {
  std::uint32_t code = 0;
  for (int n = 0; n < 4; ++n, ++position_) {
    const char d = position_ < json_.size() ? json_[position_] : ' ';
    const int digit = d >= '0' && d <= '9'   ? d - '0'
                      : d >= 'a' && d <= 'f' ? d - 'a' + 10
                      : d >= 'A' && d <= 'F' ? d - 'A' + 10
                                             : -1;
    if (digit < 0) return fail("a Unicode escape without four hex digits"), 0;
    code = code * 16 + static_cast<std::uint32_t>(digit);
  }
  return code;
}

// Reads a code point from one escape, or from two escapes (a surrogate pair) if it is above U+FFFF.
std::uint32_t JsonReader::read_code_point() {
  const std::uint32_t high = read_code_unit();
  if (high < 0xD800 || high >= 0xE000) return high;
  if (high < 0xDC00 && json_.substr(position_, 2) == "\\u") {
    position_ += 2;
    const std::uint32_t low = read_code_unit();
    if (low >= 0xDC00 && low < 0xE000) return 0x10000 + ((high - 0xD800) << 10) + (low - 0xDC00);
  }
  return fail("an unpaired surrogate"), 0;
}

void JsonReader::skip_space() {
  while (position_ < json_.size() && (json_[position_] == ' ' || json_[position_] == '\n' ||
                                      json_[position_] == '\t' || json_[position_] == '\r'))
    ++position_;
}

char JsonReader::peek() {
  skip_space();
  return position_ < json_.size() ? json_[position_] : '\0';
}

bool JsonReader::consume(char c) {
  if (failed_) return false;
  if (peek() != c) return fail("an unexpected character or end of text"), false;
  ++position_;
  return true;
}

void JsonReader::fail(const char* what) {
  if (failed_) return;
  failed_ = true;
  error_ = what;
}

}  // namespace phasor
