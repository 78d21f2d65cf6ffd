// The calls that measure tables and outputs.

#include "answer.h"
#include "calls.h"

namespace {

using namespace phasor_js;

val similarity(Request& request) {
  const Tensor table = request.tensor("table");
  const auto measure = request.choice<phasor::Measure>("measure", "cosine, dot");
  return answer(request.done().ok() ? phasor::similarity(table, measure) : request.status());
}

val permutation_error(Request& request) {
  const Tensor before = request.tensor("before"), after = request.tensor("after");
  const std::vector<int> order = request.whole_numbers("order");
  const auto result = request.done().ok() ? phasor::permutation_error(before, after, order) : request.status();
  if (!result.ok()) return failure(result.status());
  return Answer().add("largest", result->largest).add("perToken", result->per_token);
}

val reorder(Request& request) {
  const Tensor x = request.tensor("x");
  const std::vector<int> order = request.whole_numbers("order");
  phasor::LayerConfig config = layer_config(request);
  config.want = layer_want(request);
  const auto out = request.done().ok() ? phasor::reorder(x, order, config) : request.status();
  if (!out.ok()) return failure(out.status());
  return answer(out->result, config.want)
      .add("before", out->before)
      .add("largest", out->error.largest)
      .add("perToken", out->error.per_token);
}

val distance_profile(Request& request) {
  const Tensor matrix = request.tensor("matrix");
  const auto result = request.done().ok() ? phasor::distance_profile(matrix) : request.status();
  if (!result.ok()) return failure(result.status());
  return Answer().add("mean", result->mean).add("lowest", result->lowest).add("highest", result->highest).add("spread", result->spread);
}

val table_facts(Request& request) {
  const Tensor table = request.tensor("table");
  const auto facts = request.done().ok() ? phasor::table_facts(table) : request.status();
  if (!facts.ok()) return failure(facts.status());
  return Answer()
      .add("closest", val::array(std::vector<int>{facts->closest_first, facts->closest_second}))
      .add("closestDistance", facts->closest_distance)
      .add("largest", facts->largest)
      .add("meanNorm", facts->mean_norm)
      .add("lowestNorm", facts->lowest_norm)
      .add("highestNorm", facts->highest_norm);
}

val spectrum(Request& request) {
  const Tensor table = request.tensor("table");
  const auto result = request.done().ok() ? phasor::spectrum(table) : request.status();
  if (!result.ok()) return failure(result.status());
  return Answer().add("power", result->power).add("wavelength", result->wavelength);
}

val principal_components(Request& request) {
  const Tensor table = request.tensor("table");
  const int components = request.integer("components");
  const auto result = request.done().ok() ? phasor::principal_components(table, components) : request.status();
  if (!result.ok()) return failure(result.status());
  return Answer().add("coordinates", result->coordinates).add("explained", result->explained);
}

val decodability(Request& request) {
  const Tensor table = request.tensor("table");
  const double ridge = request.number_or("ridge", 1e-3);
  const auto result = request.done().ok() ? phasor::decodability(table, ridge) : request.status();
  if (!result.ok()) return failure(result.status());
  return Answer().add("rSquared", result->r_squared).add("meanError", result->mean_error).add("predicted", result->predicted);
}

val shift_matrix(Request& request) {
  const double k = request.number("k");
  if (request.has("encoding")) {
    request.refuse_beside("encoding", "frequencies, layout");
    const phasor::EncodingConfig config = request.encoding();
    const int width = request.integer("width");
    return answer(request.done().ok() ? phasor::shift_matrix(config, width, k) : request.status());
  }
  const std::vector<double> frequencies = request.numbers("frequencies");
  const auto layout = request.choice<phasor::WaveLayout>("layout", "interleaved, concatenated");
  return answer(request.done().ok() ? phasor::shift_matrix(frequencies, k, layout) : request.status());
}

val shift_residual(Request& request) {
  const Tensor table = request.tensor("table"), shift = request.tensor("shift");
  const int k = request.integer("k");
  const auto largest = request.done().ok() ? phasor::shift_residual(table, shift, k) : request.status();
  if (!largest.ok()) return failure(largest.status());
  return Answer().add("largest", *largest);
}

val rotation_residual(Request& request) {
  const phasor::EncodingConfig config = request.encoding();
  const Tensor q = request.tensor("q"), k = request.tensor("k");
  const OwnedPositions positions = request.positions("positions");
  const auto largest = request.done().ok() ? phasor::rotation_residual(config, q, k, positions.view()) : request.status();
  if (!largest.ok()) return failure(largest.status());
  return Answer().add("largest", *largest);
}

}  // namespace

namespace phasor_js {

std::span<const Call> analysis_calls() {
  static constexpr Call kCalls[] = {
      {"similarity", similarity},
      {"permutationError", permutation_error},
      {"reorder", reorder},
      {"distanceProfile", distance_profile},
      {"tableFacts", table_facts},
      {"spectrum", spectrum},
      {"principalComponents", principal_components},
      {"decodability", decodability},
      {"shiftMatrix", shift_matrix},
      {"shiftResidual", shift_residual},
      {"rotationResidual", rotation_residual},
  };
  return kCalls;
}

}  // namespace phasor_js
