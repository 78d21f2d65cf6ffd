#pragma once
// The fields of a request as written by web/engine/request/flat-request.ts, and which of them were
// read.

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace phasor_js {

// A value of a request under its path: nested objects are joined by dots ("pooling.size").
// undefined and null produce no field.
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
    null = 'z',  // only in config files, where null differs from a missing key
    other = 'x',
    // The handle of an object that persists between calls (handles.h).
    tensor = 't',
    encoding = 'e',
    cache = 'c',
    created = 'h',  // the handle of the result of this call
  };

  Kind kind;
  std::string_view path{};
  std::string_view text{};          // text of strings, lists of strings and other kinds
  const double* numbers = nullptr;  // values of numbers, lists and handles
  std::size_t count = 0;            // number of values of lists, flags and arrays
  int index = 0;                    // index of an array among all arrays
  mutable bool is_read = false;

  bool is_numbers() const { return kind == Kind::list || kind == Kind::array; }
};

inline constexpr std::size_t kMaxShown = 60;  // maximum characters of a value in an error

// "tensor handle"
const char* name_of(Field::Kind handle);

// Describes a value that is not a number, for error messages; "undefined" for nullptr.
std::string describe(const Field* field);

class Fields {
 public:
  // Reads the format of flat-request.ts: `text` has a letter, a path and a text for each field;
  // `numbers` has the lengths of paths and texts, and all numbers. Both must outlive the object.
  // Returns false if text and numbers are inconsistent.
  bool read(std::string_view text, std::span<const double> numbers, std::size_t arrays);

  auto begin() const { return fields_.begin(); }
  auto end() const { return fields_.end(); }

  // Finds the field base + leaf and marks it as read. Names must outlive the object.
  const Field* find(std::string_view base, std::string_view leaf = {});
  // Whether the call has requested this name, even if the field is missing.
  bool is_requested(std::string_view path) const;
  // The first unread field, or nullptr.
  const Field* find_unread() const;
  // The requested but missing name most similar to `path`, or empty.
  std::string similar_to(std::string_view path) const;

 private:
  struct Name {
    std::string_view base, leaf;
  };
  std::vector<Field> fields_;
  Name missing_[40];  // as many names as any call requests
  std::size_t missing_count_ = 0;
};

}  // namespace phasor_js
