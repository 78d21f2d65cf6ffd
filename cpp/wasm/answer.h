#pragma once
// JavaScript out: {shape, data}, {named values} or {error}.

#include <emscripten/bind.h>

#include "phasor/phasor.h"

namespace phasor_js {

using emscripten::val;
using phasor::Status;
using phasor::Tensor;

// What a call answers: {named values}, or a tensor in their place. The kinds of values share their code, which Embind makes anew for
// every name of another length.
class Answer {
 public:
  [[gnu::noinline]] Answer& add(const char* name, const val& value) {
    out_.set(name, value);
    return *this;
  }
  [[gnu::noinline]] Answer& add(const char* name, double number) { return add(name, val(number)); }
  [[gnu::noinline]] Answer& add(const char* name, const Tensor& t) { return add(name, tensor(t)); }
  [[gnu::noinline]] Answer& add(const char* name, const std::string& text) { return add(name, val(text)); }
  Answer& add(const char* name, const char* text) { return add(name, std::string(text)); }
  Answer& add_flag(const char* name, bool yes) { return add(name, val(yes)); }
  Answer& add(const char* name, const phasor::Gradients& tensors) {
    Answer below;
    for (const auto& [key, t] : tensors) below.add(key.c_str(), t);
    return add(name, below.out_);
  }

  Status be(const phasor::Result<Tensor>& t) {
    if (t.ok()) out_ = tensor(*t);
    return t.status();
  }

  operator const val&() const { return out_; }

 private:
  // The only door for arrays, always a copy: a view on the heap dies silently when memory grows, so none leaves this line.
  static val tensor(const Tensor& t) {
    const val data = val(emscripten::typed_memory_view(t.data.size(), t.data.data())).call<val>("slice");
    return Answer().add("shape", val::array(t.shape)).add("data", data);
  }

  val out_ = val::object();
};

}  // namespace phasor_js
