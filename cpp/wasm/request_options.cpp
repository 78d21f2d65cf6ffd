// Reads the options that attention, layers and caches have in common, and writes gradients with
// respect to them.

#include "calls.h"

namespace phasor_js {

namespace {

// Reads a list, a typed array or a tensor with one axis.
Tensor read_vector(Request& request, const char* name) {
  if (!request.has(name)) return {};
  const std::vector<double> numbers = request.numbers(name);
  Tensor out({static_cast<int>(numbers.size())});
  for (std::size_t i = 0; i < numbers.size(); ++i) out.data[i] = static_cast<float>(numbers[i]);
  return out;
}

std::optional<phasor::QkNorm> read_qk_norm(Request& request) {
  using phasor::QkNorm;
  if (!request.has("qkNorm")) return std::nullopt;
  request.object("qkNorm");
  return QkNorm{
      .norm = request.choice<QkNorm::Norm>("qkNorm.norm", "rms, layer, l2"),
      .over = request.choice<QkNorm::Over>("qkNorm.over", "head, all_heads"),
      .weight_form = request.choice<QkNorm::WeightForm>("qkNorm.weightForm", "plain, one_plus"),
      .order = request.choice<QkNorm::Order>("qkNorm.order", "before_encoding, after_encoding"),
      .eps = request.optional_number("qkNorm.eps"),
      .q_weight = read_vector(request, "qkNorm.qWeight"),
      .k_weight = read_vector(request, "qkNorm.kWeight")};
}

}  // namespace

phasor::AttentionOptions read_attention_options(Request& request) {
  phasor::AttentionOptions options;
  options.sinks = read_vector(request, "sinks");
  options.softcap = request.optional_number("softcap");
  options.cap_includes_bias = request.flag("capIncludesBias");
  options.qk_norm = read_qk_norm(request);
  options.sink_tokens = request.integer_or("sinkTokens", 0);
  options.sink_positions =
      request.choice<phasor::SinkPositions>("sinkPositions", "original, cache");
  return options;
}

Response& add(Response& response, const phasor::OptionGradients& gradients) {
  if (!gradients.sinks.empty()) response.add("dSinks", gradients.sinks);
  if (!gradients.q_weight.empty()) response.add("dqWeight", gradients.q_weight);
  if (!gradients.k_weight.empty()) response.add("dkWeight", gradients.k_weight);
  return response;
}

}  // namespace phasor_js
