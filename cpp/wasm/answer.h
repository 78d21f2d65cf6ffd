#pragma once
// JavaScript out: {shape, data} or {error}.

#include <emscripten/bind.h>

#include "phasor/phasor.h"

namespace phasor_js {

using emscripten::val;
using phasor::Status;
using phasor::Tensor;

inline val failure(const Status& status) {
  val error = val::object();
  error.set("code", std::string(phasor::to_string(status.code)));
  error.set("message", status.message);
  val out = val::object();
  out.set("error", error);
  return out;
}

// The only door for arrays, always a copy: a view on the heap dies silently when memory grows, so none leaves this line.
inline val take(const Tensor& t) {
  val out = val::object();
  out.set("shape", val::array(t.shape));
  out.set("data", val(emscripten::typed_memory_view(t.data.size(), t.data.data())).call<val>("slice"));
  return out;
}

// Tensors by their names.
inline val take(const phasor::Gradients& tensors) {
  val out = val::object();
  for (const auto& [name, tensor] : tensors) out.set(name, take(tensor));
  return out;
}

inline val answer(const phasor::Result<Tensor>& t) { return t.ok() ? take(*t) : failure(t.status()); }

// {named values}
class Answer {
 public:
  [[gnu::noinline]] Answer& add(const char* name, const Tensor& t) { return add(name, take(t)); }
  [[gnu::noinline]] Answer& add(const char* name, double number) { return add(name, val(number)); }
  [[gnu::noinline]] Answer& add(const char* name, const val& value) {
    out_.set(name, value);
    return *this;
  }
  operator val() const { return out_; }

 private:
  val out_ = val::object();
};

inline Answer answer(const phasor::AttentionResult& result, const phasor::Want& want) {
  Answer out;
  out.add("output", result.output);
  if (want.weights) out.add("weights", result.weights);
  if (want.scores) out.add("scores", result.scores);
  if (want.bias) out.add("bias", result.bias);
  if (want.map) out.add("map", Answer().add("mean", result.map_mean).add("max", result.map_max));
  return out;
}

// {id, ...parameters}, as requests take it.
inline val answer(const phasor::EncodingConfig& config) {
  val out = val::object();
  out.set("id", config.id);
  for (const auto& [name, value] : config.params) {
    if (const auto* tensor = std::get_if<Tensor>(&value)) {
      out.set(name, take(*tensor));
    } else if (const auto* word = std::get_if<std::string>(&value)) {
      out.set(name, *word);
    } else if (const auto* yes = std::get_if<bool>(&value)) {
      out.set(name, *yes);
    } else {
      out.set(name, std::get<double>(value));
    }
  }
  return out;
}

}  // namespace phasor_js
