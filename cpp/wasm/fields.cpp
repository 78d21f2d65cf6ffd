#include "fields.h"

#include <algorithm>
#include <cstdint>

#include "core/format_error.h"

namespace phasor_js {

namespace {

constexpr std::size_t kLongestName = 40;  // which may be a misspelling of a known one

// The unread rest of the list. A length beyond its end makes everything after it empty, and is
// recorded.
class Rest {
 public:
  Rest(std::string_view text, std::span<const double> numbers) : text_(text), numbers_(numbers) {}

  bool is_sound() const { return sound_; }
  bool has_text() const { return !text_.empty(); }
  bool is_empty() const { return text_.empty() && numbers_.empty(); }

  // A text whose length is the next number.
  std::string_view text() { return letters(length(text_.size())); }
  std::string_view letters(std::size_t count) {
    const std::string_view part = text_.substr(0, count);
    text_.remove_prefix(part.size());
    return part;
  }
  const double* numbers(std::size_t count) {
    const double* part = numbers_.data();
    sound_ = sound_ && count <= numbers_.size();
    numbers_ = numbers_.subspan(std::min(count, numbers_.size()));
    return part;
  }
  // The next number, which must not exceed `most`.
  std::size_t length(std::size_t most) {
    const double* number = numbers(1);
    sound_ = sound_ && *number >= 0 && *number <= static_cast<double>(most);
    return sound_ ? static_cast<std::size_t>(*number) : 0;
  }
  std::size_t numbers_left() const { return numbers_.size(); }

 private:
  std::string_view text_;
  std::span<const double> numbers_;
  bool sound_ = true;
};

// The edit distance of two names: letters inserted, deleted or replaced, or two neighbours
// swapped.
std::size_t distance(std::string_view from, std::string_view to) {
  // between the first i letters of the one and the first j of the other
  std::size_t slips[kLongestName + 1][kLongestName + 1];
  for (std::size_t i = 0; i <= from.size(); ++i) {
    for (std::size_t j = 0; j <= to.size(); ++j) {
      std::size_t& least = slips[i][j] = i + j;
      if (i == 0 || j == 0) continue;
      least = std::min(std::min(slips[i - 1][j], slips[i][j - 1]) + 1,
                       slips[i - 1][j - 1] + (from[i - 1] != to[j - 1]));
      if (i > 1 && j > 1 && from[i - 1] == to[j - 2] && from[i - 2] == to[j - 1])
        least = std::min(least, slips[i - 2][j - 2] + 1);
    }
  }
  return slips[from.size()][to.size()];
}

constexpr std::size_t kUsual = 24;  // fields of a request

}  // namespace

const char* name_of(Field::Kind handle) {
  return handle == Field::Kind::tensor     ? "tensor handle"
         : handle == Field::Kind::encoding ? "encoding handle"
                                           : "cache";
}

std::string shown(const Field* field) {
  using Kind = Field::Kind;
  if (!field) return "undefined";
  switch (field->kind) {
    case Kind::yes: return "true";
    case Kind::no: return "false";
    case Kind::word: return phasor::format_error("\"{}\"", field->text.substr(0, kShown));
    case Kind::words:
    case Kind::other: return std::string(field->text.substr(0, kShown));
    case Kind::object: return "an object";
    case Kind::null: return "null";
    case Kind::tensor:
    case Kind::encoding:
    case Kind::cache:
      return phasor::format_error("{} {}", field->kind == Kind::encoding ? "an" : "a",
                                  name_of(field->kind));
    case Kind::flags: return phasor::format_error("a list of {} flags", field->count);
    default: return phasor::format_error("a list of {} numbers", field->count);
  }
}

bool Fields::read(std::string_view text, std::span<const double> numbers, std::size_t arrays) {
  using Kind = Field::Kind;
  Rest rest(text, numbers);
  fields_.reserve(kUsual);
  std::size_t index = 0;
  while (rest.is_sound() && rest.has_text()) {
    Field field{.kind = static_cast<Kind>(rest.letters(1)[0])};
    field.path = rest.text();
    switch (field.kind) {
      case Kind::yes:
      case Kind::no:
      case Kind::null:
      case Kind::object: break;
      case Kind::tensor:
      case Kind::encoding:
      case Kind::cache:
      case Kind::created:
      case Kind::number: field.numbers = rest.numbers(1); break;
      case Kind::word:
      case Kind::words:
      case Kind::other: field.text = rest.text(); break;
      case Kind::list:
      case Kind::flags:
        field.count = rest.length(rest.numbers_left());
        field.numbers = rest.numbers(field.count);
        break;
      case Kind::array:
        field.count = rest.length(SIZE_MAX / sizeof(double));
        field.index = static_cast<int>(index++);
        break;
      default: fields_.clear(); return false;
    }
    fields_.push_back(field);
  }
  if (rest.is_sound() && rest.is_empty() && index == arrays) return true;
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
  if (missing_count_ < std::size(missing_)) missing_[missing_count_++] = {base, leaf};
  return nullptr;
}

bool Fields::is_requested(std::string_view path) const {
  const bool found = std::any_of(fields_.begin(), fields_.end(), [path](const Field& field) {
    return field.is_read && field.path == path;
  });
  return found || std::any_of(missing_, missing_ + missing_count_, [path](const Name& name) {
           return name.base.size() + name.leaf.size() == path.size() &&
                  path.starts_with(name.base) && path.ends_with(name.leaf);
         });
}

const Field* Fields::unread() const {
  const auto found = std::find_if(fields_.begin(), fields_.end(),
                                  [](const Field& field) { return !field.is_read; });
  return found == fields_.end() ? nullptr : &*found;
}

std::string Fields::meant_by(std::string_view path) const {
  std::string best;
  std::size_t least = 3;  // more than two edits are no misspelling
  for (std::size_t i = 0; i < missing_count_; ++i) {
    std::string candidate(missing_[i].base);
    candidate += missing_[i].leaf;
    const std::size_t longest = std::max(path.size(), candidate.size());
    if (longest > kLongestName) continue;
    const std::size_t slips = distance(path, candidate);
    if (slips >= least || 4 * slips > longest) continue;
    least = slips;
    best = std::move(candidate);
  }
  return best;
}

}  // namespace phasor_js
