// The functions that JavaScript sees.

#include <emscripten/bind.h>

#include "answer.h"
#include "arrays.h"
#include "calls.h"
#include "core/format_error.h"

namespace {

using namespace phasor_js;

val text(std::string_view literal) { return val(std::string(literal)); }
val words(const phasor::Words& list) { return list.empty() ? val::array() : text(list.text()).call<val>("split", text(", ")); }

val default_of(const phasor::ParamSpec& spec) {
  switch (spec.kind) {
    case phasor::ParamKind::choice: return words(spec.choices)[static_cast<int>(spec.default_value)];
    case phasor::ParamKind::tensor: return val::null();
    case phasor::ParamKind::boolean: return val(spec.default_value != 0);
    default: return val(spec.default_value);
  }
}

val encodings() {
  val list = val::array();
  for (const phasor::EncodingType* type : phasor::encodings()) {
    val params = val::array();
    for (const phasor::ParamSpec& spec : phasor::params(*type)) {
      Answer applies_when;
      applies_when.add("param", text(spec.applies_when.param)).add("values", words(spec.applies_when.values));
      Answer param;
      param.add("name", text(spec.name))
          .add("kind", phasor::to_string(spec.kind))
          .add("default", default_of(spec))
          .add("min", spec.min)
          .add("max", spec.max)
          .add("choices", words(spec.choices))
          .add("unit", text(spec.unit))
          .add_flag("logarithmic", spec.logarithmic)
          .add("shape", text(spec.shape))
          .add("appliesWhen", spec.applies_when.param.empty() ? val::null() : static_cast<const val&>(applies_when));
      params.call<void>("push", static_cast<const val&>(param));
    }
    Answer info;
    info.add("id", text(type->id))
        .add("injection", phasor::to_string(type->injection))
        .add_flag("learned", type->learned)
        .add_flag("relative", type->relative)
        .add_flag("prefixStable", type->prefix_stable)
        .add_flag("symmetric", type->symmetric)
        .add("axes", type->axes)
        .add("params", params);
    list.call<void>("push", static_cast<const val&>(info));
  }
  return list;
}

// A request as web/engine/flat-request.ts writes it; {shape, data}, {named values} or {error}.
val call(const std::string& name, std::string fields, val numbers, val arrays) {
  const JavaScriptArrays source(numbers, arrays);
  Request request(name, std::move(fields), source);
  Answer answer;
  Status status = phasor::unknown("\"{}\" is not a function of the engine", name);
  for (const std::span<const Call> calls : {encoding_calls(), attention_calls(), analysis_calls(), handle_calls()}) {
    for (const Call& known : calls) {
      if (known.name == name) status = known.compute(request, answer);
    }
  }
  if (status.ok()) return answer;
  return Answer().add("error", Answer().add("code", phasor::to_string(status.code())).add("message", status.message()));
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
  phasor::spell_arguments(phasor::Spelling::camel_case);
  emscripten::function("version", &version);
  emscripten::function("variant", &variant);
  emscripten::function("encodings", &encodings);
  emscripten::function("call", &call);
}
