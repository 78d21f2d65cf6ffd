// The options of attention, of a layer and of a cache, and the gradients of what is learned in
// them.

#include "calls.h"

namespace phasor_js {

namespace {

// A list, a typed array or a tensor of one axis.
Tensor vector_of(Request& request, const char* name) {
  if (!request.has(name)) return {};
  const std::vector<double> numbers = request.numbers(name);
  Tensor out({static_cast<int>(numbers.size())});
  for (std::size_t i = 0; i < numbers.size(); ++i) out.data[i] = static_cast<float>(numbers[i]);
  return out;
}

}  // namespace

phasor::AttentionOptions attention_options(Request& request) {
  phasor::AttentionOptions options;
  options.sinks = vector_of(request, "sinks");
  options.softcap = request.optional_number("softcap");
  options.cap_includes_bias = request.flag("capIncludesBias");
  return options;
}

Answer& add(Answer& answer, const phasor::OptionGradients& gradients) {
  if (!gradients.sinks.empty()) answer.add("dSinks", gradients.sinks);
  return answer;
}

}  // namespace phasor_js
