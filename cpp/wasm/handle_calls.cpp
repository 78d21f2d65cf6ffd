// Calls that create and release the objects that JavaScript handles refer to.

#include "attention/validate/call.h"
#include "calls.h"
#include "core/format_error.h"

namespace {

using namespace phasor_js;

Status create_tensor(Request& request, Response& response) {
  auto tensor = std::make_unique<Tensor>(request.take_tensor("tensor"));
  const double number = request.new_handle();
  PHASOR_TRY(request.finish());
  PHASOR_TRY(phasor::check_finite("tensor", tensor->data));
  response.add_list("shape", tensor->shape);
  get_handles().add({.number = number, .tensor = std::move(tensor)});
  return {};
}

Status create_encoding(Request& request, Response& response) {
  const phasor::EncodingConfig config = request.encoding();
  phasor::EncodingDims dims;
  dims.length = request.integer("length");
  dims.dim = request.integer("dim");
  dims.heads = request.integer_or("heads", 1);
  dims.axes = request.integer_or("axes", 1);
  dims.v_head_dim = request.integer_or("vHeadDim", dims.dim);
  dims.kv_heads = request.integer_or("kvHeads", dims.heads);
  dims.scale = request.optional_number("scale");
  const double number = request.new_handle();
  PHASOR_TRY(request.finish());
  // Invalid head sizes are rejected here, because later calls use these sizes as defaults.
  PHASOR_TRY(phasor::check_head_sizes(dims, "dim"));
  return run(
      request, [&] { return phasor::create_encoding(config, dims); },
      [&](auto& new_encoding) {
        response.add("id", new_encoding->id);
        get_handles().add({.number = number, .encoding = std::move(new_encoding)});
      });
}

}  // namespace

namespace phasor_js {

Status release(Request& request, Response&) {
  const double number = request.new_handle();
  PHASOR_TRY(request.finish());
  get_handles().release(number);
  return {};
}

std::span<const Call> list_handle_calls() {
  static constexpr Call kCalls[] = {
      {"createTensor", create_tensor},
      {"createEncoding", create_encoding},
      {"release", release},
  };
  return kCalls;
}

}  // namespace phasor_js
