#include "safetensors/header.h"

#include <algorithm>

#include "core/format_error.h"

namespace phasor {

namespace {

// Reads the subset of JSON of a header: objects, strings, lists of whole numbers. A failure is
// stored with its position.
class HeaderReader {
 public:
  explicit HeaderReader(std::string_view json) : json_(json) {}

  Status read(FileHeader& out) {
    Status status;
    object([&](const std::string& name) {
      if (name == kMetadata) {
        object([&](const std::string& key) {
          std::string value = string();
          if (!failed_) out.metadata.add(key, std::move(value));
        });
        return;
      }
      StoredTensor tensor{.name = name, .dtype = {}, .shape = {}};
      tensor_info(tensor);
      out.tensors.push_back(std::move(tensor));
    });
    space();
    if (at_ != json_.size()) fail("something behind its end");
    if (!failed_) return {};
    return invalid("weights: the header is no object of tensors: it has {} at byte {}", what_,
                   at_ + 8);
  }

 private:
  void tensor_info(StoredTensor& out) {
    bool has_dtype = false, has_shape = false, has_offsets = false;
    object([&](const std::string& key) {
      if (key == "dtype" && !has_dtype) {
        has_dtype = true;
        out.dtype = string();
      } else if (key == "shape" && !has_shape) {
        has_shape = true;
        numbers(out.shape);
      } else if (key == "data_offsets" && !has_offsets) {
        has_offsets = true;
        std::vector<std::uint64_t> both;
        numbers(both);
        if (failed_) return;
        if (both.size() != 2) return fail("no two data_offsets");
        out.begin = both[0];
        out.end = both[1];
      } else {
        fail("an unknown field");
      }
    });
    if (!(has_dtype && has_shape && has_offsets)) fail("a tensor without dtype, shape or offsets");
  }

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
      fail("a key twice before it");
  }

  void numbers(std::vector<std::uint64_t>& out) {
    if (!take('[')) return;
    if (peek() == ']') return ++at_, void();
    do {
      space();
      std::uint64_t n = 0;
      const std::size_t first = at_;
      while (at_ < json_.size() && json_[at_] >= '0' && json_[at_] <= '9') {
        const auto digit = static_cast<std::uint64_t>(json_[at_] - '0');
        if (n > (UINT64_MAX - digit) / 10) return fail("a number beyond 2^64");
        n = n * 10 + digit;
        ++at_;
      }
      if (at_ == first) return fail("no whole number");
      if (out.size() == kMostNumbers) return fail("more numbers than any shape has");
      out.push_back(n);
    } while (next_of_list(']'));
  }

  // Whether another entry follows; otherwise reads the end.
  bool next_of_list(char end) {
    if (failed_) return false;
    const char c = peek();
    ++at_;
    if (c == ',') return true;
    if (c != end) --at_, fail("no comma and no end of a list");
    return false;
  }

  std::string string() {
    std::string out;
    if (!take('"')) return out;
    while (at_ < json_.size() && json_[at_] != '"') {
      const char c = json_[at_++];
      if (static_cast<unsigned char>(c) < 0x20) return fail("a control character"), out;
      if (c != '\\') {
        out += c;
        continue;
      }
      if (at_ == json_.size()) break;
      escape(json_[at_++], out);
      if (failed_) return out;
    }
    if (at_ == json_.size()) return fail("a string without an end"), out;
    ++at_;
    return out;
  }

  void escape(char c, std::string& out) {
    switch (c) {
      case 'n': out += '\n'; return;
      case 't': out += '\t'; return;
      case 'r': out += '\r'; return;
      case 'b': out += '\b'; return;
      case 'f': out += '\f'; return;
      case '"':
      case '\\':
      case '/': out += c; return;
      case 'u': return add_utf8(code_point(), out);
      default: fail("an unknown escape");
    }
  }

  // The four digits of an escape.
  std::uint32_t code_unit() {
    std::uint32_t code = 0;
    for (int n = 0; n < 4; ++n, ++at_) {
      const char d = at_ < json_.size() ? json_[at_] : ' ';
      const int digit = d >= '0' && d <= '9'   ? d - '0'
                        : d >= 'a' && d <= 'f' ? d - 'a' + 10
                        : d >= 'A' && d <= 'F' ? d - 'A' + 10
                                               : -1;
      if (digit < 0) return fail("an escape of no four digits"), 0;
      code = code * 16 + static_cast<std::uint32_t>(digit);
    }
    return code;
  }

  // The symbol of an escape, or of two: one above U+FFFF is written as a pair of surrogates.
  std::uint32_t code_point() {
    const std::uint32_t first = code_unit();
    if (first < 0xD800 || first >= 0xE000) return first;
    if (first < 0xDC00 && json_.substr(at_, 2) == "\\u") {
      at_ += 2;
      const std::uint32_t second = code_unit();
      if (second >= 0xDC00 && second < 0xE000)
        return 0x10000 + ((first - 0xD800) << 10) + (second - 0xDC00);
    }
    return fail("one half of a pair of surrogates"), 0;
  }

  static void add_utf8(std::uint32_t code, std::string& out) {
    const auto byte = [&out](std::uint32_t bits) { out += static_cast<char>(bits); };
    if (code < 0x80) return byte(code);
    if (code < 0x800) {
      byte(0xC0 | (code >> 6));
    } else if (code < 0x10000) {
      byte(0xE0 | (code >> 12));
      byte(0x80 | ((code >> 6) & 0x3F));
    } else {
      byte(0xF0 | (code >> 18));
      byte(0x80 | ((code >> 12) & 0x3F));
      byte(0x80 | ((code >> 6) & 0x3F));
    }
    byte(0x80 | (code & 0x3F));
  }

  void space() {
    while (at_ < json_.size() &&
           (json_[at_] == ' ' || json_[at_] == '\n' || json_[at_] == '\t' || json_[at_] == '\r'))
      ++at_;
  }
  char peek() {
    space();
    return at_ < json_.size() ? json_[at_] : '\0';
  }
  bool take(char c) {
    if (failed_) return false;
    if (peek() != c) return fail("something unexpected"), false;
    ++at_;
    return true;
  }
  void fail(const char* what) {
    if (failed_) return;
    failed_ = true;
    what_ = what;
  }

  static constexpr std::size_t kMostNumbers = 64;  // extents of a tensor of PyTorch

  std::string_view json_;
  std::size_t at_ = 0;
  bool failed_ = false;
  const char* what_ = "";
};

std::string quoted(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    constexpr char kDigits[] = "0123456789abcdef";
    if (c == '"' || c == '\\') {
      (out += '\\') += c;
    } else if (static_cast<unsigned char>(c) < 0x20) {
      out += "\\u00";
      out += kDigits[c >> 4];
      out += kDigits[c & 15];
    } else {
      out += c;
    }
  }
  return out += '"';
}

}  // namespace

Status read_header(std::string_view json, FileHeader& out) { return HeaderReader(json).read(out); }

Status check_header_length(std::uint64_t length, std::uint64_t file_bytes) {
  constexpr std::uint64_t kMostHeader = 100000000;
  if (length > kMostHeader) {
    return invalid(
        "weights: they are no safetensors file: the header would have {} bytes; at "
        "most {} are allowed",
        static_cast<double>(length), static_cast<double>(kMostHeader));
  }
  if (length <= file_bytes - kLengthBytes) return {};
  return invalid("weights: the header has {} bytes, but the file only {}",
                 static_cast<double>(length), static_cast<double>(file_bytes));
}

Status check_offsets(FileHeader& header, std::uint64_t data_bytes) {
  std::sort(header.tensors.begin(), header.tensors.end(),
            [](const StoredTensor& a, const StoredTensor& b) {
              return a.begin != b.begin ? a.begin < b.begin : a.end < b.end;
            });
  std::uint64_t end = 0;
  for (const StoredTensor& stored : header.tensors) {
    if (stored.begin != end || stored.end < stored.begin) {
      return invalid("weights: {} begins at byte {} of the numbers, but those before it end at {}",
                     aside(stored.name), static_cast<double>(stored.begin),
                     static_cast<double>(end));
    }
    end = stored.end;
  }
  if (end == data_bytes) return {};
  return invalid("weights: {} bytes of numbers are there, but the header tells of {}",
                 aside(static_cast<double>(data_bytes)), static_cast<double>(end));
}

Status read_shape(const StoredTensor& stored, int size, std::vector<int>& shape) {
  const std::uint64_t bytes = stored.end - stored.begin;
  double numbers = 1;  // a double, which does not overflow
  for (const std::uint64_t extent : stored.shape) {
    numbers *= static_cast<double>(extent);
    if (extent > static_cast<std::uint64_t>(kMaxExtent)) {
      return invalid("weights: {} has an extent of {}; at most {} are allowed", aside(stored.name),
                     static_cast<double>(extent), kMaxExtent);
    }
    shape.push_back(static_cast<int>(extent));
  }
  if (numbers * size == static_cast<double>(bytes)) return {};
  return invalid("weights: the shape of {}, {}, does not fit its {} bytes", aside(stored.name),
                 shape, static_cast<double>(bytes));
}

std::string written(const FileHeader& header) {
  std::string out = "{";
  const auto next = [&out] {
    if (out.back() != '{') out += ',';
  };
  if (!header.metadata.empty()) {
    (out += quoted(kMetadata)) += ":{";
    for (const auto& [key, value] : header.metadata) {
      next();
      (((out += quoted(key)) += ':') += quoted(value));
    }
    out += '}';
  }
  for (const StoredTensor& tensor : header.tensors) {
    next();
    out += quoted(tensor.name);
    ((out += ":{\"dtype\":\"") += tensor.dtype) += "\",\"shape\":[";
    for (std::size_t n = 0; n < tensor.shape.size(); ++n) {
      if (n > 0) out += ',';
      out += std::to_string(tensor.shape[n]);
    }
    (out += "],\"data_offsets\":[") += std::to_string(tensor.begin);
    ((out += ',') += std::to_string(tensor.end)) += "]}";
  }
  out += '}';
  while (out.size() % 8 != 0) out += ' ';  // so that the data after it is aligned
  return out;
}

}  // namespace phasor
