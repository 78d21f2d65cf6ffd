#include <cstdlib>
#include <string>

#include "core/format_error.h"
#include "core/json_reader.h"
#include "phasor/model.h"

namespace phasor {

namespace {

// Flattens nested objects into a single list of values with dotted keys ("rope_scaling.factor").
class ConfigReader final : private JsonReader {
 public:
  using JsonReader::JsonReader;

  Status read(Params& out) {
    read_members("", 0, out);
    if (peek() != 0 || position_ < json_.size()) fail("text after the object");
    if (!failed_) return {};
    return invalid("config: the text is not a JSON object; found {} at byte {}", error_,
                   static_cast<double>(position_));
  }

 private:
  static constexpr int kMaxDepth = 32;

  void read_members(const std::string& path, int depth, Params& out) {
    if (depth == kMaxDepth) return fail("too many nested levels");
    read_object([&](const std::string& key) {
      read_value(path.empty() ? key : path + "." + key, depth + 1, out);
    });
  }

  void read_value(const std::string& path, int depth, Params& out) {
    switch (peek()) {
      case '{': return read_members(path, depth, out);
      case '[': return read_list(path, depth, out);
      case '"': return out.add(path, read_string()), void();
      case 't': return read_literal("true"), out.add(path, true), void();
      case 'f': return read_literal("false"), out.add(path, false), void();
      case 'n': return read_literal("null"), out.add(path, Tensor()), void();
      default: out.add(path, read_number());
    }
  }

  // Reads a list of numbers or booleans as a tensor, and a list of strings as one comma-separated
  // string. Stores the entries of any other list one by one, with their index in the key.
  void read_list(const std::string& path, int depth, Params& out) {
    if (depth == kMaxDepth) return fail("too many nested levels");
    consume('[');
    Params entries;
    if (peek() == ']') {
      ++position_;
    } else {
      do {
        read_value(path + "." + std::to_string(entries.size()), depth + 1, entries);
      } while (next_entry(']'));
    }
    if (failed_) return;
    std::string joined_strings;
    Tensor numbers({0});
    std::size_t string_count = 0;
    for (const auto& [key, entry] : entries) {
      if (const auto* text = std::get_if<std::string>(&entry)) {
        (joined_strings += string_count++ == 0 ? "" : ", ") += *text;
      } else if (const auto* number = std::get_if<double>(&entry)) {
        numbers.data.push_back(static_cast<float>(*number));
      } else if (const auto* boolean = std::get_if<bool>(&entry)) {
        numbers.data.push_back(*boolean ? 1.0f : 0.0f);
      }
    }
    numbers.shape[0] = static_cast<int>(numbers.data.size());
    if (numbers.data.size() == entries.size()) return out.add(path, std::move(numbers)), void();
    if (string_count == entries.size()) return out.add(path, std::move(joined_strings)), void();
    for (const auto& [key, entry] : entries) out.add(key, entry);
  }

  void read_literal(std::string_view literal) {
    if (json_.substr(position_, literal.size()) != literal) return fail("an unknown word");
    position_ += literal.size();
  }

  double read_number() {
    const std::size_t begin = position_;
    const auto skip_digits = [&] {
      const std::size_t from = position_;
      while (position_ < json_.size() && json_[position_] >= '0' && json_[position_] <= '9')
        ++position_;
      if (position_ == from) fail("an invalid value");
    };
    const auto skip_any_of = [&](std::string_view characters) {
      const bool is_match =
          position_ < json_.size() && characters.find(json_[position_]) != characters.npos;
      position_ += is_match ? 1 : 0;
      return is_match;
    };
    skip_any_of("-");
    skip_digits();
    if (skip_any_of(".")) skip_digits();
    if (skip_any_of("eE")) {
      skip_any_of("+-");
      skip_digits();
    }
    if (failed_) return 0;
    const double value =
        std::strtod(std::string(json_.substr(begin, position_ - begin)).c_str(), nullptr);
    if (!is_finite(value)) fail("a number too large for float64");
    return value;
  }
};

}  // namespace

Result<Params> config_from_json(std::string_view json) {
  return Result<Params>::from([&](Params& out) { return ConfigReader(json).read(out); });
}

}  // namespace phasor
