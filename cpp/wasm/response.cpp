#include "response.h"

#include <emscripten/emscripten.h>

// Addresses are signed numbers in JavaScript, so they are shifted as unsigned numbers. `boundary`
// is the object of boundary.js.
// clang-format off
EM_JS(void, phasor_put_number, (const char* name, double number), { boundary.put(name, number); });

// 0, 1, 2
EM_JS(void, phasor_put_literal, (const char* name, int index), { boundary.put(name, [false, true, null][index]); });

EM_JS(void, phasor_put_text, (const char* name, const char* from, std::size_t size), {
  boundary.put(name, UTF8Decoder.decode(HEAPU8.subarray(from >>> 0, (from >>> 0) + size)));
});

EM_JS(void, phasor_put_words, (const char* name, const char* from, std::size_t size), {
  boundary.put(name, size === 0 ? [] : UTF8Decoder.decode(HEAPU8.subarray(from >>> 0, (from >>> 0) + size)).split(', '));
});

EM_JS(void, phasor_put_list, (const char* name, const int* from, std::size_t count), {
  boundary.put(name, Array.from(HEAP32.subarray(from >>> 2, (from >>> 2) + count)));
});

EM_JS(void, phasor_put_tensor, (const char* name, const int* shape, std::size_t rank, const float* data, std::size_t count), {
  shape = Array.from(HEAP32.subarray(shape >>> 2, (shape >>> 2) + rank));
  const own = boundary.own(name, shape);
  if (own) own.set(HEAPF32.subarray(data >>> 2, (data >>> 2) + count));
  boundary.put(name, own === undefined ? {shape, data: HEAPF32.slice(data >>> 2, (data >>> 2) + count)} : {shape, data: own});
});

EM_JS(bool, phasor_again, (), { return boundary.again(); });

EM_JS(bool, phasor_is_refused, (), { return boundary.isRefused(); });

EM_JS(void, phasor_open, (const char* name, bool is_list), {
  boundary.open(name, is_list ? [] : {});
});

EM_JS(void, phasor_close, (), { boundary.close(); });

// Starts the response over. The next value replaces the response object.
EM_JS(void, phasor_replace, (), { boundary.begin(); });
// clang-format on

namespace phasor_js {

std::string to_camel_case(std::string_view name) {
  std::string out;
  for (std::size_t i = 0; i < name.size(); ++i) {
    const bool is_separator = name[i] == '_' && i + 1 < name.size();
    out += is_separator ? static_cast<char>(name[++i] - 'a' + 'A') : name[i];
  }
  return out;
}

Response& Response::add(const char* name, double number) {
  phasor_put_number(name, number);
  return *this;
}

Response& Response::add(const char* name, std::string_view text) {
  phasor_put_text(name, text.data(), text.size());
  return *this;
}

Response& Response::add(const char* name, const Tensor& t) {
  phasor_put_tensor(name, t.shape.data(), t.shape.size(), t.data.data(), t.data.size());
  return *this;
}

Response& Response::add(const char* name, const phasor::Gradients& tensors) {
  open_object(name);
  for (const auto& [key, t] : tensors) add(key.c_str(), t);
  return close();
}

Response& Response::add_flag(const char* name, bool flag) {
  phasor_put_literal(name, flag);
  return *this;
}

Response& Response::add_null(const char* name) {
  phasor_put_literal(name, 2);
  return *this;
}

Response& Response::add_list(const char* name, std::span<const int> numbers) {
  phasor_put_list(name, numbers.data(), numbers.size());
  return *this;
}

Response& Response::add_string_list(const char* name, std::string_view comma_separated) {
  phasor_put_words(name, comma_separated.data(), comma_separated.size());
  return *this;
}

Response& Response::open_object(const char* name) {
  phasor_open(name, false);
  return *this;
}

Response& Response::open_list(const char* name) {
  phasor_open(name, true);
  return *this;
}

Response& Response::close() {
  phasor_close();
  return *this;
}

void Response::set(const Tensor& t) {
  phasor_replace();
  add(nullptr, t);
}

bool Response::needs_second_pass() { return phasor_again(); }
bool Response::is_rejected() { return phasor_is_refused(); }

void Response::set(const Status& failure) {
  phasor_replace();
  open_object(nullptr)
      .open_object("error")
      .add("code", phasor::to_string(failure.code()))
      .add("message", failure.message());
  constexpr const char *kValue = "value", *kAllowed = "allowed";
  if (const std::string_view argument = failure.argument(); !argument.empty())
    add("argument", argument);
  if (const std::string_view value = failure.value(); !value.empty()) add(kValue, value);
  if (const std::optional<double> number = failure.number()) add(kValue, *number);
  if (const std::string_view choices = failure.choices(); !choices.empty())
    add_string_list(kAllowed, choices);
  if (const std::optional<phasor::Range> range = failure.range())
    open_object(kAllowed).add("min", range->min).add("max", range->max);
}

}  // namespace phasor_js
