#include "core/format_error.h"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <iterator>

#include "core/finite.h"

namespace phasor {

namespace {

constexpr int kSignificantDigits = 6;

std::string format_integer(double value) {
  char digits[20];
  char *const end = std::end(digits), *begin = end;
  auto quotient = static_cast<std::uint64_t>(value);
  do *--begin = static_cast<char>('0' + quotient % 10);
  while ((quotient /= 10) > 0);
  return {begin, end};
}

// Formats a finite value > 0 as "%g" does; printf would add 7 kB to the WebAssembly.
std::string format_six_digits(double value) {
  int exponent = kSignificantDigits - 1;
  for (; value >= 1e6; value /= 10) ++exponent;
  for (; value < 1e5; value *= 10) --exponent;
  std::string digits = format_integer(std::rint(value));
  if (digits.size() > kSignificantDigits) ++exponent;  // 999999.7 rounds to 1000000
  while (digits.size() > 1 && digits.back() == '0') digits.pop_back();
  const bool is_scientific = exponent < -4 || exponent >= kSignificantDigits;
  if (!is_scientific && exponent < 0)
    return std::string("0.").append(static_cast<std::size_t>(-exponent - 1), '0').append(digits);
  const std::size_t decimal_point = is_scientific ? 1 : static_cast<std::size_t>(exponent + 1);
  if (digits.size() < decimal_point) digits.append(decimal_point - digits.size(), '0');
  if (digits.size() > decimal_point) digits.insert(decimal_point, 1, '.');
  if (!is_scientific) return digits;
  const int abs_exponent = std::abs(exponent);
  digits += exponent < 0 ? "e-" : "e+";
  if (abs_exponent < 10) digits += '0';
  return digits += format_integer(abs_exponent);
}

double to_mebibytes(double bytes) { return std::ceil(bytes / 1048576.0); }

Spelling argument_spelling = Spelling::snake_case;

}  // namespace

void set_argument_spelling(Spelling spelling) { argument_spelling = spelling; }

std::string spell_argument(Argument argument) {
  std::string out;
  bool is_capital = false;
  for (const char letter : std::string_view(argument.name)) {
    if (letter == '_' && argument_spelling == Spelling::camel_case) {
      is_capital = true;
      continue;
    }
    out += is_capital ? static_cast<char>(letter - 'a' + 'A') : letter;
    is_capital = false;
  }
  return out;
}

std::string to_message(double value) {
  if (std::isnan(value)) return "NaN";
  if (value < 0) return std::string("-").append(to_message(-value));
  if (std::isinf(value)) return "Infinity";
  // Formats integers in full (2147483648, not 2.14748e+09) and other numbers to six digits.
  if (value == std::floor(value) && value < 1e15) return format_integer(value);
  return format_six_digits(value);
}

std::string to_message(const std::vector<int>& shape) {
  std::string text;
  for (const int extent : shape) {
    if (!text.empty()) text += " x ";
    text += to_message(static_cast<double>(extent));
  }
  return text.empty() ? "a single number" : text;
}

std::string to_message(const ParamValue& value) {
  if (const auto* number = std::get_if<double>(&value)) return to_message(*number);
  if (const auto* flag = std::get_if<bool>(&value)) return *flag ? "true" : "false";
  if (const auto* text = std::get_if<std::string>(&value)) return "\"" + *text + "\"";
  return format_error("a list of {} numbers", std::get<Tensor>(value).data.size());
}

namespace {

std::string to_text(const FormatArg& arg) {
  using Kind = FormatArg::Kind;
  std::string_view text;
  switch (arg.kind) {
    case Kind::literal: text = static_cast<const char*>(arg.address); break;
    case Kind::subject:
    case Kind::text: text = *static_cast<const std::string_view*>(arg.address); break;
    case Kind::string: text = *static_cast<const std::string*>(arg.address); break;
    case Kind::choices: text = static_cast<const ChoiceList*>(arg.address)->text(); break;
    case Kind::argument: return spell_argument({static_cast<const char*>(arg.address)});
    case Kind::shape: return to_message(*static_cast<const std::vector<int>*>(arg.address));
    case Kind::number: return to_message(arg.number);
    case Kind::param: return to_message(*static_cast<const ParamValue*>(arg.address));
    case Kind::range:
      const auto& [min, max] = *static_cast<const Range*>(arg.address);
      return format_error("{} to {}", min, max);
  }
  return std::string(text);
}

void record_part(const FormatArg& arg, ErrorDetails::TextRange part, ErrorDetails& details) {
  if (arg.kind == FormatArg::Kind::subject) details.argument = part;
  if (arg.kind == FormatArg::Kind::choices) details.choices = part;
  if (arg.kind == FormatArg::Kind::range) details.range = *static_cast<const Range*>(arg.address);
}

// Records the rejected value, which fills the first placeholder after the argument.
void record_value(const FormatArg& arg, ErrorDetails::TextRange part, ErrorDetails& details) {
  details.value = part;
  if (arg.kind == FormatArg::Kind::number) details.number = arg.number;
  if (arg.kind != FormatArg::Kind::param) return;
  if (const auto* number = std::get_if<double>(static_cast<const ParamValue*>(arg.address)))
    details.number = *number;
}

ErrorDetails fill_pattern(const char* pattern, std::span<const FormatArg> args) {
  ErrorDetails out;
  const char* value_begin = nullptr;  // start of the value: the {} or "{}" after ": "
  for (const char* c = pattern; *c != '\0'; ++c) {
    if (c[0] == '{' && c[1] == '}') {
      const FormatArg& arg = args.front();
      const std::string text = to_text(arg);
      const std::size_t begin = out.text.size();
      record_part(arg, {begin, text.size()}, out);
      if (!arg.is_detail && value_begin != nullptr && c - value_begin <= 1) {
        // Quotation marks are not part of the value.
        const std::size_t quote_size =
            c == value_begin && text.size() > 1 && text.front() == '"' && text.back() == '"' ? 1
                                                                                             : 0;
        record_value(arg, {begin + quote_size, text.size() - 2 * quote_size}, out);
      }
      out.text += text;
      args = args.subspan(1);
      ++c;
      continue;
    }
    if (value_begin == nullptr && c[0] == ':' && c[1] == ' ') {
      value_begin = c + 2;
      out.argument.size = out.text.size();
    }
    out.text += *c;
  }
  return out;
}

}  // namespace

std::string format_message(const char* pattern, std::span<const FormatArg> args) {
  return fill_pattern(pattern, args).text;
}

Status make_status(StatusCode code, const char* pattern, std::span<const FormatArg> args) {
  return {code, fill_pattern(pattern, args)};
}

Status rename_argument(Status status, std::string_view argument, std::string_view new_name) {
  const std::string_view full_argument = status.argument();
  const bool is_renamed = full_argument == argument || (full_argument.starts_with(argument) &&
                                                        full_argument[argument.size()] == '[');
  if (is_renamed) status.rename_argument(argument.size(), new_name);
  return status;
}

Status check_range(const char* name, double value, double min, double max) {
  if (value >= min && value <= max) return {};
  return invalid("{}: {} is outside {}", name, value, Range{min, max});
}

Status check_range(Argument argument, double value, double min, double max) {
  return check_range(spell_argument(argument).c_str(), value, min, max);
}

Status check_extent(const char* name, int extent) {
  return check_range(name, extent, 1, kMaxExtent);
}
Status check_extent(Argument argument, int extent) {
  return check_range(argument, extent, 1, kMaxExtent);
}

Status check_finite(const char* name, const std::vector<float>& data) {
  const std::size_t i = find_first_nonfinite(data);
  if (i == data.size()) return {};
  return invalid("{}[{}]: {} is not a finite number", name, i, static_cast<double>(data[i]));
}

Status check_finite(Argument argument, const std::vector<float>& data) {
  return check_finite(spell_argument(argument).c_str(), data);
}

Status check_data(const char* name, const Tensor& t) {
  if (t.data.size() == numel(t.shape)) return {};
  if (t.shape.empty() && t.empty()) return invalid("{}: has no shape and no values", name);
  return invalid("{}: has shape {}, but {} values", name, t.shape, t.data.size());
}

Status check_tensor(const char* name, const Tensor& t) {
  PHASOR_TRY(check_data(name, t));
  return check_finite(name, t.data);
}

Status check_tensor(Argument argument, const Tensor& t) {
  return check_tensor(spell_argument(argument).c_str(), t);
}

Status out_of_range(const char* name, std::string_view what) {
  return invalid("{}: {} exceeds the float32 maximum, 3.40282e+38", argument(name), detail(what));
}

bool is_finite(std::span<const float> data) { return find_first_nonfinite(data) == data.size(); }
bool is_finite(double number) { return std::isfinite(number); }

double array_bytes(const std::vector<int>& shape) {
  double bytes = sizeof(float);
  for (const int extent : shape) bytes *= extent;
  return bytes;
}

Status check_memory(const char* name, double bytes) {
  if (can_allocate(bytes)) return {};
  return make_error(StatusCode::resource_exhausted, "{}: {} MiB of working memory is not available",
                    argument(name), detail(to_mebibytes(bytes)));
}

Status check_size(const char* name, const char* what, const std::vector<int>& shape) {
  const double bytes = array_bytes(shape);
  const bool is_small = bytes <= kMaxResultBytes;
  // Checked now, because a later allocation failure would end the program.
  if (is_small && can_allocate(bytes)) return {};
  static_assert(kMaxResultBytes == 1024.0 * 1048576.0);
  return make_error(StatusCode::resource_exhausted, "{}: {} of {} numbers would take {} MiB{}",
                    argument(name), detail(what), shape, to_mebibytes(bytes),
                    is_small ? ", more than is available" : "; at most 1024 MiB can be returned");
}

Status check_size(const char* name, const char* what, const std::initializer_list<int>& shape) {
  return check_size(name, what, std::vector<int>(shape));
}

}  // namespace phasor
