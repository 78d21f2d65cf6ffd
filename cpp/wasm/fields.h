#pragma once
// The fields of a request as web/engine/request/flat-request.ts writes them, and which of them
// nobody has requested.

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace phasor_js {

// A value of a request under its path: nested objects are joined by dots ("pooling.size"). What was
// undefined or null has no field.
struct Field {
  enum class Kind : char {
    number = 'n',
    yes = 'y',
    no = 'f',
    word = 'w',
    list = 'l',   // of numbers
    flags = 'b',  // a list of numbers and of what is true or false
    words = 's',  // a list of words without commas, which has come as one text: "weights, scores"
    array = 'a',
    object = 'o',
    null = 'z',  // of a file that is handed over, where it differs from a key that is missing
    other = 'x',
    // An object that stays between calls (handles.h), by its number.
    tensor = 't',
    encoding = 'e',
    cache = 'c',
    made = 'h',  // that of what this call makes
  };

  Kind kind;
  std::string_view path{};
  std::string_view text{};          // of a word, of words and of what is none of the others
  const double* numbers = nullptr;  // of a number, of a list and of what stays between calls
  std::size_t count = 0;            // of what has several
  int index = 0;                    // of an array among the arrays
  mutable bool is_read = false;

  bool is_numbers() const { return kind == Kind::list || kind == Kind::array; }
};

inline constexpr std::size_t kShown = 60;  // letters of a value that a sentence shows

// "tensor handle"
const char* name_of(Field::Kind handle);

// The text of a value that is no number; "undefined" without one.
std::string shown(const Field* field);

class Fields {
 public:
  // Reads what flat-request.ts wrote: for each field a letter, its path and its text in `text`;
  // their lengths and the numbers in `numbers`. Both must outlive this. False when they do not fit
  // each other.
  bool read(std::string_view text, std::span<const double> numbers, std::size_t arrays);

  auto begin() const { return fields_.begin(); }
  auto end() const { return fields_.end(); }

  // The field called base + leaf, which is then known to be requested. Names must outlive this.
  const Field* find(std::string_view base, std::string_view leaf = {});
  // Whether a call has requested this name, be it there or not.
  bool is_requested(std::string_view path) const;
  // The first field that was not requested, or nullptr.
  const Field* unread() const;
  // The name most like `path` that was requested in vain; empty when none is.
  std::string meant_by(std::string_view path) const;

 private:
  struct Name {
    std::string_view base, leaf;
  };
  std::vector<Field> fields_;
  Name missing_[40];  // more are requested by no call
  std::size_t missing_count_ = 0;
};

}  // namespace phasor_js
