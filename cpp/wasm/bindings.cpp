// The functions that Embind exports. boundary.js wraps them for JavaScript.

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

void add_default(Response& response, const phasor::ParamInfo& info) {
  constexpr const char* kName = "default";
  switch (info.kind) {
    case phasor::ParamKind::choice:
      response.add(kName, info.choices.list()[static_cast<std::size_t>(info.default_value)]);
      break;
    case phasor::ParamKind::tensor: response.add_null(kName); break;
    case phasor::ParamKind::boolean: response.add_flag(kName, info.default_value != 0); break;
    default: response.add(kName, info.default_value);
  }
}

void add(Response& response, const phasor::ParamInfo& info) {
  response.open_object(kItem).add("name", info.name).add("kind", phasor::to_string(info.kind));
  add_default(response, info);
  response.add("min", info.min)
      .add("max", info.max)
      .add_string_list("choices", info.choices.text())
      .add("unit", info.unit);
  response.add_flag("logarithmic", info.logarithmic)
      .add("shape", info.shape)
      .add("summary", info.summary);
  constexpr const char* kAppliesWhen = "appliesWhen";
  if (info.applies_when.param.empty()) {
    response.add_null(kAppliesWhen);
  } else {
    response.open_object(kAppliesWhen)
        .add("param", info.applies_when.param)
        .add_string_list("values", info.applies_when.values.text())
        .close();
  }
  response.close();
}

// {version, program, encodings}
void compute_description() {
  Response response;
  response.add("version", PHASOR_VERSION).add("program", kModuleName).open_list("encodings");
  for (const phasor::EncodingInfo* type : phasor::encodings()) {
    response.open_object(kItem)
        .add("id", type->id)
        .add("injection", phasor::to_string(type->injection));
    response.add_flag("learned", type->learned)
        .add_flag("relative", type->relative)
        .add_flag("prefixStable", type->prefix_stable);
    response.add_flag("symmetric", type->symmetric)
        .add_flag("rotates", type->rotates)
        .add("axes", type->axes)
        .open_list("params");
    for (const phasor::ParamInfo& info : type->params) add(response, info);
    response.close().open_list("tokens");
    for (const phasor::TokenTensorInfo& info : type->tokens) {
      response.open_object(kItem).add("name", info.name).add("shape", info.shape);
      response.add_flag("optional", info.optional).add("summary", info.summary).close();
    }
    response.close().close();
  }
}

// Runs the current request, which has the format of web/engine/request/flat-request.ts. The
// response is {shape, data}, {named values} or {error}.
void compute_call() {
  phasor::set_argument_spelling(phasor::Spelling::camel_case);
  const std::string name = read_request_text(RequestText::name);
  const JavaScriptArrays source;
  Request request(name, read_request_text(RequestText::fields), source);
  Response response;
  Status status = phasor::unknown("\"{}\" is not an engine function", name);
  for (const std::span<const Call> calls : {
#ifdef PHASOR_MODEL
           list_checkpoint_calls()
#else
           list_encoding_calls(),
           list_model_calls(),
           list_attention_calls(),
           list_layer_calls(),
           list_analysis_calls(),
           list_handle_calls(),
#endif
#ifdef PHASOR_NN
               list_train_calls()
#endif
       }) {
    for (const Call& call : calls) {
      if (call.name == name) status = call.compute(request, response);
    }
  }
  if (!status.ok()) response.set(status);
}

// Replaces the four register blocks of the matrix product with four functions from the function
// table, starting at `first_entry`. They are in the order of RegisterBlocks
// (web/engine/load/instantiate.ts).
void use_register_blocks(std::size_t first_entry) {
  const auto get_entry = [first_entry](std::size_t index) {
    return reinterpret_cast<phasor::kernels::RegisterBlock>(first_entry + index);
  };
  phasor::kernels::register_blocks = {get_entry(0), get_entry(1), get_entry(2), get_entry(3)};
}

}  // namespace

EMSCRIPTEN_BINDINGS(phasor) {
  emscripten::function("computeDescription", &compute_description);
  emscripten::function("computeCall", &compute_call);
  emscripten::function("useRegisterBlocks", &use_register_blocks);
}
