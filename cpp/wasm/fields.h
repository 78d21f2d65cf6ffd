#pragma once
// The fields of a request as web/engine/request/flat-request.ts writes them, and which of them
// were not requested.

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace phasor_js {

// A value of a request under its path: nested objects are joined by dots ("pooling.size").
// undefined and null have no field.
struct Field {
  enum class Kind : char {
    number = 'n',
    yes = 'y',
    no = 'f',
    word = 'w',
    list = 'l',   // of numbers
    flags = 'b',  // a list of numbers and booleans
    words = 's',  // a list of strings without commas, as one text: "weights, scores"
    array = 'a',
    object = 'o',
    null = 'z',  // of a config file, in which it differs from a missing key
    other = 'x',
    // An object that persists between calls (handles.h), by its number.
    tensor = 't',
    encoding = 'e',
    cache = 'c',
    created = 'h',  // the handle of the result of this call
  };

  Kind kind;
  std::string_view path{};
  std::string_view text{};          // of a string, of strings and of other kinds
  const double* numbers = nullptr;  // of a number, of a list and of a handle
  std::size_t count = 0;            // of a kind with several
  int index = 0;                    // of an array: its place among all arrays
  mutable bool is_read = false;

  bool is_numbers() const { return kind == Kind::list || kind == Kind::array; }
};

inline constexpr std::size_t kShown = 60;  // characters of a value that a sentence shows

// "tensor handle"
const char* name_of(Field::Kind handle);

// The text of a value that is not a number; "undefined" without one.
std::string shown(const Field* field);

class Fields {
 public:
  // Reads what flat-request.ts wrote: for each field a letter, its path and its text in `text`;
  // their lengths and the numbers in `numbers`. Both must outlive this. False if they are
  // inconsistent.
  bool read(std::string_view text, std::span<const double> numbers, std::size_t arrays);

  auto begin() const { return fields_.begin(); }
  auto end() const { return fields_.end(); }

  // The field called base + leaf, which is then marked as requested. Names must outlive this.
  const Field* find(std::string_view base, std::string_view leaf = {});
  // Whether a call has requested this name, whether it exists or not.
  bool is_requested(std::string_view path) const;
  // The first field that was not requested, or nullptr.
  const Field* unread() const;
  // The requested but missing name most similar to `path`; empty without one.
  std::string meant_by(std::string_view path) const;

 private:
  struct Name {
    std::string_view base, leaf;
  };
  std::vector<Field> fields_;
  Name missing_[40];  // no call requests more
  std::size_t missing_count_ = 0;
};

}  // namespace phasor_js
