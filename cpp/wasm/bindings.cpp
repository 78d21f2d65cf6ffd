// The functions that Embind exports; boundary.js wraps them for JavaScript.

#include <emscripten/bind.h>

#include "arrays.h"
#include "calls.h"
#include "core/format_error.h"
#include "kernels/register_blocks.h"
#include "response.h"

namespace {

using namespace phasor_js;

#if defined(PHASOR_NN)
constexpr const char* kModuleName = "phasor-nn";
#elif defined(PHASOR_MODEL)
constexpr const char* kModuleName = "phasor-model";
#else
constexpr const char* kModuleName = "phasor";
#endif

void add_default(Response& response, const phasor::ParamInfo& spec) {
  constexpr const char* kName = "default";
  switch (spec.kind) {
    case phasor::ParamKind::choice:
      response.add(kName, spec.choices.list()[static_cast<std::size_t>(spec.default_value)]);
      break;
    case phasor::ParamKind::tensor: response.add_null(kName); break;
    case phasor::ParamKind::boolean: response.add_flag(kName, spec.default_value != 0); break;
    default: response.add(kName, spec.default_value);
  }
}

void add(Response& response, const phasor::ParamInfo& spec) {
  response.open(kItem).add("name", spec.name).add("kind", phasor::to_string(spec.kind));
  add_default(response, spec);
  response.add("min", spec.min)
      .add("max", spec.max)
      .add_string_list("choices", spec.choices.text())
      .add("unit", spec.unit);
  response.add_flag("logarithmic", spec.logarithmic)
      .add("shape", spec.shape)
      .add("summary", spec.summary);
  constexpr const char* kAppliesWhen = "appliesWhen";
  if (spec.applies_when.param.empty()) {
    response.add_null(kAppliesWhen);
  } else {
    response.open(kAppliesWhen)
        .add("param", spec.applies_when.param)
        .add_string_list("values", spec.applies_when.values.text())
        .close();
  }
  response.close();
}

// {version, program, encodings}
void compute_description() {
  Response response;
  response.add("version", PHASOR_VERSION).add("program", kModuleName).open_list("encodings");
  for (const phasor::EncodingInfo* type : phasor::encodings()) {
    response.open(kItem).add("id", type->id).add("injection", phasor::to_string(type->injection));
    response.add_flag("learned", type->learned)
        .add_flag("relative", type->relative)
        .add_flag("prefixStable", type->prefix_stable);
    response.add_flag("symmetric", type->symmetric)
        .add_flag("rotates", type->rotates)
        .add("axes", type->axes)
        .open_list("params");
    for (const phasor::ParamInfo& spec : type->params) add(response, spec);
    response.close().open_list("tokens");
    for (const phasor::TokenTensorInfo& spec : type->tokens) {
      response.open(kItem).add("name", spec.name).add("shape", spec.shape);
      response.add_flag("optional", spec.optional).add("summary", spec.summary).close();
    }
    response.close().close();
  }
}

// Runs the current request (web/engine/request/flat-request.ts). The response is {shape, data},
// {named values} or {error}.
void compute_call() {
  phasor::spell_arguments(phasor::Spelling::camel_case);
  const std::string name = text_of(Text::name);
  const JavaScriptArrays source;
  Request request(name, text_of(Text::fields), source);
  Response response;
  Status status = phasor::unknown("\"{}\" is not an engine function", name);
  for (const std::span<const Call> calls : {
#ifdef PHASOR_MODEL
           checkpoint_calls()
#else
           encoding_calls(),
           model_calls(),
           attention_calls(),
           layer_calls(),
           analysis_calls(),
           handle_calls(),
#endif
#ifdef PHASOR_NN
               train_calls()
#endif
       }) {
    for (const Call& known : calls) {
      if (known.name == name) status = known.compute(request, response);
    }
  }
  if (!status.ok()) response.set(status);
}

// Replaces the four register blocks of the matrix product by entries `first` to first + 3 of the
// function table, in the order of RegisterBlocks (web/engine/load/instantiate.ts).
void use_register_blocks(std::size_t first) {
  const auto entry = [first](std::size_t index) {
    return reinterpret_cast<phasor::kernels::RegisterBlock>(first + index);
  };
  phasor::kernels::register_blocks = {entry(0), entry(1), entry(2), entry(3)};
}

}  // namespace

EMSCRIPTEN_BINDINGS(phasor) {
  emscripten::function("computeDescription", &compute_description);
  emscripten::function("computeCall", &compute_call);
  emscripten::function("useRegisterBlocks", &use_register_blocks);
}
