#pragma once
// Error messages: one sentence that names the argument, its value and what is allowed. A sentence is written as a pattern with
// one {} for each of its values: the values are put in by a single function, where chains of operator+ would be code at every
// place that may fail.

#include <initializer_list>
#include <span>
#include <string>
#include <string_view>

#include "phasor/status.h"
#include "phasor/tensor.h"

namespace phasor {

/// A number as a person would write it: "7", "0.5", "1e+300", "NaN".
std::string to_words(double value);
/// "8 x 4 x 16"
std::string to_words(const std::vector<int>& shape);

/// A value in a sentence: a text, a number or a shape. Where its letters are and how many is asked for in append_to alone.
class Word {
 public:
  Word(std::string_view text) : kind_(Kind::text), text_(text) {}
  Word(const std::string& text) : kind_(Kind::string), string_(&text) {}
  Word(const char* text) : kind_(Kind::literal), literal_(text) {}
  Word(double number) : kind_(Kind::number), number_(number) {}
  Word(int number) : Word(static_cast<double>(number)) {}
  Word(std::size_t number) : Word(static_cast<double>(number)) {}
  Word(const std::vector<int>& shape) : kind_(Kind::shape), shape_(&shape) {}

  void append_to(std::string& sentence) const;

 private:
  enum class Kind { text, string, literal, number, shape } kind_;
  union {
    std::string_view text_;
    const std::string* string_;
    const char* literal_;
    double number_;
    const std::vector<int>* shape_;
  };
};

void a_pattern_needs_one_brace_pair_for_each_word();  // never defined: naming it stops the compiler

/// A literal with exactly `count` pairs {}.
template <std::size_t count>
struct Pattern {
  const char* text;

  consteval Pattern(const char* literal) : text(literal) {
    std::size_t found = 0;
    for (const char* c = literal; *c != '\0'; ++c) found += c[0] == '{' && c[1] == '}';
    if (found != count) a_pattern_needs_one_brace_pair_for_each_word();
  }
};

std::string format_error(const char* pattern, std::initializer_list<Word> words);
/// A failure with such a sentence.
Status refusal(Code code, const char* pattern, std::initializer_list<Word> words);
/// The refusal of an argument that the caller knows by another name: "positions[3]: ..." about keyPositions. Others stay as they are.
Status renamed(Status status, std::string_view argument, std::string_view name);

/// invalid("length: {} is outside {} to {}", 0, 1, 65536)
template <class... Words>
Status invalid(Pattern<sizeof...(Words)> pattern, const Words&... words) {
  return refusal(Code::invalid_argument, pattern.text, {Word(words)...});
}
template <class... Words>
Status unknown(Pattern<sizeof...(Words)> pattern, const Words&... words) {
  return refusal(Code::unknown_name, pattern.text, {Word(words)...});
}

/// How the caller's language spells the names of arguments: kv_heads is kvHeads in JavaScript. Names that are data, of parameters
/// of encodings and keys of files, are spelled alike everywhere.
enum class Spelling { snake_case, camel_case };
/// For a binding, once, when it starts; C++ callers have snake_case.
void spell_arguments(Spelling spelling);
/// The name of an argument as it is spelled by the caller of the library.
std::string argument(std::string_view name);

/// Refuses `value` outside [min, max]: "length: 0 is outside 1 to 65536".
Status check_range(const char* name, double value, double min, double max);
/// Refuses NaN and infinity: "q[12]: NaN is not a finite number".
Status check_finite(const char* name, const std::vector<float>& data);
/// The rule for results (docs/reliability.md): what is answered is finite, or the call is refused, naming the argument to blame:
/// "table: a dot product leaves the range of float32, which ends at 3.40282e+38".
Status out_of_range(const char* name, std::string_view what);
bool is_finite(std::span<const float> data);
bool is_finite(double number);
/// check_result("table", out.data, "the table of {}", id): its words become a sentence only where it is needed.
template <class Numbers, class... Words>
Status check_result(const char* name, const Numbers& result, Pattern<sizeof...(Words)> what, const Words&... words) {
  if (is_finite(result)) return {};
  return out_of_range(name, format_error(what.text, {Word(words)...}));
}
/// Refuses an array larger than kMaxResultBytes, or than what is left, before it is allocated, by the argument that asks for it:
/// "want: weights of 1 x 40000 x 40000 numbers would take 6104 MiB; at most 1024 MiB can be returned".
Status check_size(const char* name, const char* what, const std::vector<int>& shape);
Status check_size(const char* name, const char* what, std::initializer_list<int> shape);

/// The refusal of an array that memory was tried for in vain: "x: a packed projection of 8 x 8 numbers would take 1 MiB, which are not
/// left in this memory".
Status no_room(const char* name, const char* what, const std::vector<int>& shape);

/// The largest array the library returns: 1 GiB, which leaves room in a 32-bit memory.
inline constexpr double kMaxResultBytes = 1073741824.0;
/// The largest extent of any axis.
inline constexpr int kMaxExtent = 1048576;

}  // namespace phasor
