#include "fields.h"

#include <algorithm>

namespace phasor_js {

namespace {

// What is left to be read. A length that passes the end makes everything behind it empty, and is remembered.
class Rest {
 public:
  Rest(std::string_view text, std::span<const double> numbers) : text_(text), numbers_(numbers) {}

  bool is_sound() const { return sound_; }
  bool has_text() const { return !text_.empty(); }
  bool is_empty() const { return text_.empty() && numbers_.empty(); }

  // A text as long as the next number says.
  std::string_view text() { return letters(length(text_.size())); }
  std::string_view letters(std::size_t count) {
    const std::string_view taken = text_.substr(0, count);
    text_.remove_prefix(taken.size());
    return taken;
  }
  const double* numbers(std::size_t count) {
    const double* taken = numbers_.data();
    sound_ = sound_ && count <= numbers_.size();
    numbers_ = numbers_.subspan(std::min(count, numbers_.size()));
    return taken;
  }
  // The next number, which is not above `most`.
  std::size_t length(std::size_t most) {
    const double* number = numbers(1);
    sound_ = sound_ && *number >= 0 && *number <= static_cast<double>(most);
    return sound_ ? static_cast<std::size_t>(*number) : 0;
  }
  std::size_t numbers_left() const { return numbers_.size(); }

  // Words in a row, as long as the next numbers say.
  std::string_view words(const double* lengths, std::size_t count) {
    std::size_t total = 0;
    for (std::size_t i = 0; i < count && sound_; ++i) {
      sound_ = lengths[i] >= 0 && lengths[i] <= static_cast<double>(text_.size() - total);
      if (sound_) total += static_cast<std::size_t>(lengths[i]);
    }
    return letters(sound_ ? total : 0);
  }

 private:
  std::string_view text_;
  std::span<const double> numbers_;
  bool sound_ = true;
};

// How many letters are put in, taken out or exchanged to turn one name into the other.
std::size_t distance(std::string_view from, const std::string& to) {
  std::vector<std::size_t> row(to.size() + 1);
  for (std::size_t j = 0; j < row.size(); ++j) row[j] = j;
  for (std::size_t i = 0; i < from.size(); ++i) {
    std::size_t diagonal = row[0]++;
    for (std::size_t j = 0; j < to.size(); ++j) {
      const std::size_t exchanged = diagonal + (from[i] == to[j] ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({exchanged, diagonal + 1, row[j] + 1});
    }
  }
  return row.back();
}

constexpr std::size_t kUsual = 24;        // fields of a request
constexpr std::size_t kLongestName = 60;  // of a field that may have been misspelt

}  // namespace

std::string_view Field::take_word(std::string_view& rest, double length) {
  const std::string_view word = rest.substr(0, static_cast<std::size_t>(length));
  rest.remove_prefix(word.size());
  return word;
}

bool Fields::read(std::string_view text, std::span<const double> numbers, std::size_t arrays) {
  using Kind = Field::Kind;
  Rest rest(text, numbers);
  fields_.reserve(kUsual);
  missing_.reserve(kUsual);
  std::size_t index = 0;
  while (rest.is_sound() && rest.has_text()) {
    Field field{.kind = static_cast<Kind>(rest.letters(1)[0])};
    field.path = rest.text();
    switch (field.kind) {
      case Kind::yes:
      case Kind::no:
      case Kind::object: break;
      case Kind::number: field.numbers = rest.numbers(1); break;
      case Kind::word:
      case Kind::other: field.text = rest.text(); break;
      case Kind::list:
      case Kind::flags:
      case Kind::words:
        field.count = rest.length(rest.numbers_left());
        field.numbers = rest.numbers(field.count);
        if (rest.is_sound() && field.kind == Kind::words) field.text = rest.words(field.numbers, field.count);
        break;
      case Kind::array:
        field.count = rest.length(SIZE_MAX / sizeof(double));
        field.index = static_cast<int>(index++);
        break;
      default: return false;
    }
    fields_.push_back(field);
  }
  if (rest.is_sound() && rest.is_empty() && index == arrays) return true;
  fields_.clear();
  return false;
}

const Field* Fields::find(std::string_view base, std::string_view leaf) {
  for (const Field& field : fields_) {
    if (field.path.size() != base.size() + leaf.size() || !field.path.starts_with(base) || !field.path.ends_with(leaf)) continue;
    field.is_read = true;
    return &field;
  }
  missing_.push_back({base, leaf});
  return nullptr;
}

const Field* Fields::unread() const {
  const auto found = std::find_if(fields_.begin(), fields_.end(), [](const Field& field) { return !field.is_read; });
  return found == fields_.end() ? nullptr : &*found;
}

std::string Fields::meant_by(std::string_view path) const {
  std::string best;
  if (path.size() > kLongestName) return best;
  std::size_t least = 3;  // more letters than two are no slip
  for (const Name& name : missing_) {
    std::string candidate(name.base);
    candidate += name.leaf;
    const std::size_t letters = distance(path, candidate);
    if (letters >= least || 2 * letters > std::min(path.size(), candidate.size())) continue;
    least = letters;
    best = std::move(candidate);
  }
  return best;
}

}  // namespace phasor_js
