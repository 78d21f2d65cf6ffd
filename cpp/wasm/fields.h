#pragma once
// The fields of a request (web/engine/request/flat-request.ts), and which of them have been read.

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace phasor_js {

// A field of a request. Keys of nested fields are joined by dots, for example "pooling.size".
// undefined and null are omitted.
struct Field {
  enum class Kind : char {
    number = 'n',
    yes = 'y',
    no = 'f',
    word = 'w',
    list = 'l',   // of numbers
    flags = 'b',  // a list with at least one boolean
    words = 's',  // a list of strings without commas, joined as "weights, scores"
    array = 'a',
    object = 'o',
    null = 'z',  // only in config files, where null differs from a missing key
    other = 'x',
    // Handles of objects that persist between calls (handles.h).
    tensor = 't',
    encoding = 'e',
    cache = 'c',
    created = 'h',  // the handle for the result of this call
  };

  Kind kind;
  std::string_view path{};
  std::string_view text{};          // a string, joined strings, or another value as text
  const double* numbers = nullptr;  // for numbers, lists and handles
  std::size_t count = 0;            // number of elements of a list or an array
  int index = 0;                    // index among all arrays of the request
  mutable bool is_read = false;

  bool holds_numbers() const { return kind == Kind::list || kind == Kind::array; }
};

inline constexpr std::size_t kMaxShownLetters = 60;  // maximum length of a value in an error

// "tensor handle"
const char* get_kind_name(Field::Kind handle);

// Describes a value that is not a number, for errors. nullptr is "undefined".
std::string describe(const Field* field);

class Fields {
 public:
  // Parses a request in the format of flat-request.ts. For each field, `text` has a letter, a path
  // and a text. `numbers` has the lengths of paths and texts, and all numbers. Both must outlive
  // this object. Returns false if they do not match.
  bool read(std::string_view text, std::span<const double> numbers, std::size_t array_count);

  auto begin() const { return fields_.begin(); }
  auto end() const { return fields_.end(); }

  // Finds the field with the path base + leaf and marks it as read. Both strings must outlive this
  // object.
  const Field* find(std::string_view base, std::string_view leaf = {});
  // True if find() was called for this path, even if the field is missing.
  bool is_requested(std::string_view path) const;
  // The first unread field; nullptr if there is none.
  const Field* find_unread() const;
  // The most similar path among those requested but missing; empty if none is similar enough.
  std::string find_similar_path(std::string_view path) const;

 private:
  struct FieldName {
    std::string_view base, leaf;
  };
  std::vector<Field> fields_;
  FieldName missing_names_[40];  // no call requests more names
  std::size_t missing_count_ = 0;
};

}  // namespace phasor_js
