#pragma once
// The fields of a request (web/engine/request/flat-request.ts). Also keeps track of which fields
// have been read.

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace phasor_js {

// A field of a request. The path of a nested field joins its keys with dots, for example
// "pooling.size". Fields that are undefined or null are omitted.
struct Field {
  enum class Kind : char {
    number = 'n',
    yes = 'y',
    no = 'f',
    word = 'w',
    list = 'l',   // of numbers
    flags = 'b',  // a list with at least one boolean
    words = 's',  // a list of strings without commas, joined: "weights, scores"
    array = 'a',
    object = 'o',
    null = 'z',  // only in config files, where null is not the same as a missing key
    other = 'x',
    // Handles of objects that persist between calls (handles.h).
    tensor = 't',
    encoding = 'e',
    cache = 'c',
    created = 'h',  // the handle that the call creates for its result
  };

  Kind kind;
  std::string_view path{};
  // The string, the joined strings, or any other value as text
  std::string_view text{};
  const double* numbers = nullptr;  // for numbers, lists and handles
  std::size_t count = 0;            // number of elements of a list or an array
  int index = 0;                    // index among all arrays of the request
  mutable bool is_read = false;

  bool holds_numbers() const { return kind == Kind::list || kind == Kind::array; }
};

// Values in error messages are cut to this length.
inline constexpr std::size_t kMaxShownLetters = 60;

// "tensor handle"
const char* get_kind_name(Field::Kind handle);

// Describes a value that is not a number, for error messages. nullptr is described as "undefined".
std::string describe(const Field* field);

class Fields {
 public:
  // Parses a request in the format of flat-request.ts. For each field, `text` contains the letter
  // of its kind, its path and, for some kinds, a string. `numbers` contains the lengths of the
  // paths and strings, and all numbers of the fields. Both must outlive this object. Returns false
  // if they are inconsistent.
  bool read(std::string_view text, std::span<const double> numbers, std::size_t array_count);

  auto begin() const { return fields_.begin(); }
  auto end() const { return fields_.end(); }

  // Finds the field with the path base + leaf and marks it as read. Both strings must outlive this
  // object, because missing names are kept.
  const Field* find(std::string_view base, std::string_view leaf = {});
  // True if find() was called with this path, even if there is no such field.
  bool is_requested(std::string_view path) const;
  // The first field that has not been read; nullptr if there is none.
  const Field* find_unread() const;
  // Among the paths that were requested but not found, returns the most similar one. Empty if none
  // is similar enough.
  std::string find_similar_path(std::string_view path) const;

 private:
  struct FieldName {
    std::string_view base, leaf;
  };
  std::vector<Field> fields_;
  FieldName missing_names_[40];  // large enough for the call with the most fields
  std::size_t missing_count_ = 0;
};

}  // namespace phasor_js
