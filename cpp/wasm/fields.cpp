#include "fields.h"

#include <algorithm>
#include <cstdint>

#include "core/format_error.h"

namespace phasor_js {

namespace {

// Longer names are not compared when looking for a misspelled name.
constexpr std::size_t kMaxNameLength = 40;

// Reads the parts of a request one after another. If a length is too large, the cursor becomes
// invalid, and all later reads return nothing.
class RequestCursor {
 public:
  RequestCursor(std::string_view text, std::span<const double> numbers)
      : text_(text), numbers_(numbers) {}

  bool is_valid() const { return is_valid_; }
  bool has_text() const { return !text_.empty(); }
  bool is_empty() const { return text_.empty() && numbers_.empty(); }

  // Reads a string whose length is the next number.
  std::string_view read_text() { return read_letters(read_length(text_.size())); }
  std::string_view read_letters(std::size_t count) {
    const std::string_view result = text_.substr(0, count);
    text_.remove_prefix(result.size());
    return result;
  }
  const double* read_numbers(std::size_t count) {
    const double* result = numbers_.data();
    is_valid_ = is_valid_ && count <= numbers_.size();
    numbers_ = numbers_.subspan(std::min(count, numbers_.size()));
    return result;
  }
  // Reads the next number, which must be a length of at most `maximum`.
  std::size_t read_length(std::size_t maximum) {
    const double* number = read_numbers(1);
    is_valid_ = is_valid_ && *number >= 0 && *number <= static_cast<double>(maximum);
    return is_valid_ ? static_cast<std::size_t>(*number) : 0;
  }
  std::size_t numbers_left() const { return numbers_.size(); }

 private:
  std::string_view text_;
  std::span<const double> numbers_;
  bool is_valid_ = true;
};

// Returns the smallest number of insertions, deletions, replacements and swaps of adjacent letters
// that turns `from` into `to`.
std::size_t edit_distance(std::string_view from, std::string_view to) {
  // edits[i][j] is the distance from the first i letters of `from` to the first j letters of `to`.
  std::size_t edits[kMaxNameLength + 1][kMaxNameLength + 1];
  for (std::size_t i = 0; i <= from.size(); ++i) {
    for (std::size_t j = 0; j <= to.size(); ++j) {
      std::size_t& count = edits[i][j] = i + j;
      if (i == 0 || j == 0) continue;
      count = std::min(std::min(edits[i - 1][j], edits[i][j - 1]) + 1,
                       edits[i - 1][j - 1] + (from[i - 1] != to[j - 1]));
      if (i > 1 && j > 1 && from[i - 1] == to[j - 2] && from[i - 2] == to[j - 1])
        count = std::min(count, edits[i - 2][j - 2] + 1);
    }
  }
  return edits[from.size()][to.size()];
}

constexpr std::size_t kTypicalFieldCount = 24;

}  // namespace

const char* get_kind_name(Field::Kind handle) {
  return handle == Field::Kind::tensor     ? "tensor handle"
         : handle == Field::Kind::encoding ? "encoding handle"
                                           : "cache";
}

std::string describe(const Field* field) {
  using Kind = Field::Kind;
  if (!field) return "undefined";
  switch (field->kind) {
    case Kind::yes: return "true";
    case Kind::no: return "false";
    case Kind::word: return phasor::format_error("\"{}\"", field->text.substr(0, kMaxShownLetters));
    case Kind::words:
    case Kind::other: return std::string(field->text.substr(0, kMaxShownLetters));
    case Kind::object: return "an object";
    case Kind::null: return "null";
    case Kind::tensor:
    case Kind::encoding:
    case Kind::cache:
      return phasor::format_error("{} {}", field->kind == Kind::encoding ? "an" : "a",
                                  get_kind_name(field->kind));
    case Kind::flags: return phasor::format_error("a list of {} booleans", field->count);
    default: return phasor::format_error("a list of {} numbers", field->count);
  }
}

bool Fields::read(std::string_view text, std::span<const double> numbers, std::size_t array_count) {
  using Kind = Field::Kind;
  RequestCursor cursor(text, numbers);
  fields_.reserve(kTypicalFieldCount);
  std::size_t index = 0;
  while (cursor.is_valid() && cursor.has_text()) {
    Field field{.kind = static_cast<Kind>(cursor.read_letters(1)[0])};
    field.path = cursor.read_text();
    switch (field.kind) {
      case Kind::yes:
      case Kind::no:
      case Kind::null:
      case Kind::object: break;
      case Kind::tensor:
      case Kind::encoding:
      case Kind::cache:
      case Kind::created:
      case Kind::number: field.numbers = cursor.read_numbers(1); break;
      case Kind::word:
      case Kind::words:
      case Kind::other: field.text = cursor.read_text(); break;
      case Kind::list:
      case Kind::flags:
        field.count = cursor.read_length(cursor.numbers_left());
        field.numbers = cursor.read_numbers(field.count);
        break;
      case Kind::array:
        field.count = cursor.read_length(SIZE_MAX / sizeof(double));
        field.index = static_cast<int>(index++);
        break;
      default: fields_.clear(); return false;
    }
    fields_.push_back(field);
  }
  if (cursor.is_valid() && cursor.is_empty() && index == array_count) return true;
  fields_.clear();
  return false;
}

const Field* Fields::find(std::string_view base, std::string_view leaf) {
  for (const Field& field : fields_) {
    if (field.path.size() != base.size() + leaf.size() || !field.path.starts_with(base) ||
        !field.path.ends_with(leaf))
      continue;
    field.is_read = true;
    return &field;
  }
  if (missing_count_ < std::size(missing_names_)) missing_names_[missing_count_++] = {base, leaf};
  return nullptr;
}

bool Fields::is_requested(std::string_view path) const {
  const bool has_match = std::any_of(fields_.begin(), fields_.end(), [path](const Field& field) {
    return field.is_read && field.path == path;
  });
  return has_match || std::any_of(missing_names_, missing_names_ + missing_count_,
                                  [path](const FieldName& name) {
                                    return name.base.size() + name.leaf.size() == path.size() &&
                                           path.starts_with(name.base) && path.ends_with(name.leaf);
                                  });
}

const Field* Fields::find_unread() const {
  const auto match = std::find_if(fields_.begin(), fields_.end(),
                                  [](const Field& field) { return !field.is_read; });
  return match == fields_.end() ? nullptr : &*match;
}

std::string Fields::find_similar_path(std::string_view path) const {
  std::string closest_path;
  std::size_t edit_limit = 3;  // a misspelling has at most two edits
  for (std::size_t i = 0; i < missing_count_; ++i) {
    std::string candidate(missing_names_[i].base);
    candidate += missing_names_[i].leaf;
    const std::size_t max_length = std::max(path.size(), candidate.size());
    if (max_length > kMaxNameLength) continue;
    const std::size_t edits = edit_distance(path, candidate);
    if (edits >= edit_limit || 4 * edits > max_length) continue;
    edit_limit = edits;
    closest_path = std::move(candidate);
  }
  return closest_path;
}

}  // namespace phasor_js
