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
inline val take(const std::map<std::string, Tensor>& tensors) {
  val out = val::object();
  for (const auto& [name, tensor] : tensors) out.set(name, take(tensor));
  return out;
}

inline val answer(const Status& status, const Tensor& t) { return status.ok() ? take(t) : failure(status); }

inline val answer(const Status& status, std::initializer_list<std::pair<const char*, val>> fields) {
  if (!status.ok()) return failure(status);
  val out = val::object();
  for (const auto& [name, value] : fields) out.set(name, value);
  return out;
}

inline val answer(const Status& status, const phasor::AttentionResult& result, const phasor::Want& want) {
  if (!status.ok()) return failure(status);
  val out = val::object();
  out.set("output", take(result.output));
  if (want.weights) out.set("weights", take(result.weights));
  if (want.scores) out.set("scores", take(result.scores));
  if (want.bias) out.set("bias", take(result.bias));
  if (want.map) {
    val map = val::object();
    map.set("mean", take(result.map_mean));
    map.set("max", take(result.map_max));
    out.set("map", map);
  }
  return out;
}

// {id, ...parameters}, as requests take it.
inline val answer(const Status& status, const phasor::EncodingConfig& config) {
  if (!status.ok()) return failure(status);
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
