#pragma once
// JavaScript out: {shape, data}, {named values} or {error}.

#include <emscripten/bind.h>

#include "arrays.h"
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
  [[gnu::noinline]] Answer& add(const char* name, const Tensor& t) { return add(name, copy_out(t)); }
  [[gnu::noinline]] Answer& add(const char* name, const std::string& text) { return add(name, val(text)); }
  Answer& add(const char* name, const char* text) { return add(name, std::string(text)); }
  Answer& add_flag(const char* name, bool yes) { return add(name, val(yes)); }
  Answer& add(const char* name, const phasor::Gradients& tensors) {
    Answer below;
    for (const auto& [key, t] : tensors) below.add(key.c_str(), t);
    return add(name, below.out_);
  }

  void be(const Tensor& t) { out_ = copy_out(t); }

  operator const val&() const { return out_; }

 private:
  val out_ = val::object();
};

}  // namespace phasor_js
