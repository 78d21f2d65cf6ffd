// The functions that JavaScript sees.

#include <emscripten/bind.h>

#include "answer.h"
#include "calls.h"
#include "math/sentence.h"

namespace {

using namespace phasor_js;

val text(std::string_view literal) { return val(std::string(literal)); }
val words(const phasor::Words& list) { return list.empty() ? val::array() : text(list.text()).call<val>("split", text(", ")); }

val encodings() {
  val list = val::array();
  for (const phasor::EncodingType* type : phasor::encodings()) {
    val params = val::array();
    for (const phasor::ParamSpec& spec : phasor::params(*type)) {
      val param = val::object();
      param.set("name", text(spec.name));
      param.set("kind", std::string(phasor::to_string(spec.kind)));
      if (spec.kind == phasor::ParamKind::choice)
        param.set("default", words(spec.choices)[static_cast<int>(spec.fallback)]);
      else if (spec.kind == phasor::ParamKind::tensor)
        param.set("default", val::null());
      else if (spec.kind == phasor::ParamKind::boolean)
        param.set("default", spec.fallback != 0);
      else
        param.set("default", spec.fallback);
      param.set("min", spec.min);
      param.set("max", spec.max);
      param.set("choices", words(spec.choices));
      param.set("unit", text(spec.unit));
      param.set("logarithmic", spec.logarithmic);
      param.set("summary", text(spec.summary));
      param.set("shape", text(spec.shape));
      val applies = val::null();
      if (!spec.applies.choice.empty()) {
        applies = val::object();
        applies.set("choice", text(spec.applies.choice));
        applies.set("words", words(spec.applies.words));
      }
      param.set("applies", applies);
      params.call<void>("push", param);
    }
    val info = val::object();
    info.set("id", text(type->id));
    info.set("injection", std::string(phasor::to_string(type->injection)));
    info.set("learned", type->learned);
    info.set("relative", type->relative);
    info.set("prefixStable", type->prefix_stable);
    info.set("symmetric", type->symmetric);
    info.set("axes", type->axes);
    info.set("params", params);
    list.call<void>("push", info);
  }
  return list;
}

// A request as web/engine/flat-request.ts writes it.
val call(const std::string& name, std::string fields, val numbers, val arrays) {
  Request request(name, std::move(fields), numbers, std::move(arrays));
  for (const std::span<const Call> calls : {encoding_calls(), attention_calls(), analysis_calls()}) {
    for (const Call& known : calls) {
      if (known.name == name) return known.compute(request);
    }
  }
  return failure(phasor::unknown("\"{}\" is not a function of the engine", name));
}

std::string version() { return PHASOR_VERSION; }

// Which of the two files this is.
std::string variant() {
#if defined(__wasm_simd128__)
  return "simd";
#else
  return "scalar";
#endif
}

}  // namespace

EMSCRIPTEN_BINDINGS(phasor) {
  emscripten::function("version", &version);
  emscripten::function("variant", &variant);
  emscripten::function("encodings", &encodings);
  emscripten::function("call", &call);
}
