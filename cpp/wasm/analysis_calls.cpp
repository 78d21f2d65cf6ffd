// The calls that measure tables and outputs.

#include "calls.h"

namespace {

using namespace phasor_js;

Status similarity(Request& request, Answer& answer) {
  const Tensor table = request.tensor("table");
  const auto measure = request.choice<phasor::Measure>("measure", "cosine, dot");
  PHASOR_TRY(request.done());
  return answer.be(phasor::similarity(table, measure));
}

Status permutation_error(Request& request, Answer& answer) {
  const Tensor before = request.tensor("before"), after = request.tensor("after");
  const std::vector<int> order = request.whole_numbers("order");
  PHASOR_TRY(request.done());
  const auto result = phasor::permutation_error(before, after, order);
  if (!result.ok()) return result.status();
  answer.add("largest", result->max_abs_diff).add("perToken", result->per_token);
  return {};
}

Status reorder(Request& request, Answer& answer) {
  const Tensor x = request.tensor("x");
  const std::vector<int> order = request.whole_numbers("order");
  phasor::LayerConfig config = layer_config(request);
  config.want = layer_want(request);
  PHASOR_TRY(request.done());
  const auto out = phasor::reorder(x, order, config);
  if (!out.ok()) return out.status();
  add(answer, out->result, config.want)
      .add("before", out->before)
      .add("largest", out->error.max_abs_diff)
      .add("perToken", out->error.per_token);
  return {};
}

Status distance_profile(Request& request, Answer& answer) {
  const Tensor matrix = request.tensor("matrix");
  PHASOR_TRY(request.done());
  const auto result = phasor::distance_profile(matrix);
  if (!result.ok()) return result.status();
  answer.add("mean", result->mean).add("lowest", result->lowest).add("highest", result->highest).add("spread", result->spread);
  return {};
}

Status table_statistics(Request& request, Answer& answer) {
  const Tensor table = request.tensor("table");
  PHASOR_TRY(request.done());
  const auto facts = phasor::table_statistics(table);
  if (!facts.ok()) return facts.status();
  answer.add("closest", val::array(std::vector<int>{facts->closest_first, facts->closest_second}))
      .add("closestDistance", facts->closest_distance)
      .add("largest", facts->max_abs)
      .add("meanNorm", facts->mean_norm)
      .add("lowestNorm", facts->lowest_norm)
      .add("highestNorm", facts->highest_norm);
  return {};
}

Status spectrum(Request& request, Answer& answer) {
  const Tensor table = request.tensor("table");
  PHASOR_TRY(request.done());
  const auto result = phasor::spectrum(table);
  if (!result.ok()) return result.status();
  answer.add("power", result->power).add("wavelength", result->wavelength);
  return {};
}

Status principal_components(Request& request, Answer& answer) {
  const Tensor table = request.tensor("table");
  const int components = request.integer("components");
  PHASOR_TRY(request.done());
  const auto result = phasor::principal_components(table, components);
  if (!result.ok()) return result.status();
  answer.add("coordinates", result->coordinates).add("explained", result->explained);
  return {};
}

Status linear_probe(Request& request, Answer& answer) {
  const Tensor table = request.tensor("table");
  const double ridge = request.number_or("ridge", 1e-3);
  PHASOR_TRY(request.done());
  const auto result = phasor::linear_probe(table, ridge);
  if (!result.ok()) return result.status();
  answer.add("rSquared", result->r_squared).add("meanError", result->mean_absolute_error).add("predicted", result->predicted);
  return {};
}

Status shift_matrix(Request& request, Answer& answer) {
  const double k = request.number("k");
  if (request.has("encoding")) {
    request.refuse_beside("encoding", "frequencies, layout");
    const phasor::EncodingConfig config = request.encoding();
    const int width = request.integer("width");
    PHASOR_TRY(request.done());
    return answer.be(phasor::shift_matrix(config, width, k));
  }
  const std::vector<double> frequencies = request.numbers("frequencies");
  const auto layout = request.choice<phasor::WaveLayout>("layout", "interleaved, concatenated");
  PHASOR_TRY(request.done());
  return answer.be(phasor::shift_matrix(frequencies, k, layout));
}

Status shift_residual(Request& request, Answer& answer) {
  const Tensor table = request.tensor("table"), shift = request.tensor("shift");
  const int k = request.integer("k");
  PHASOR_TRY(request.done());
  const auto largest = phasor::shift_residual(table, shift, k);
  if (!largest.ok()) return largest.status();
  answer.add("largest", *largest);
  return {};
}

Status rotation_residual(Request& request, Answer& answer) {
  const phasor::EncodingConfig config = request.encoding();
  const Tensor q = request.tensor("q"), k = request.tensor("k");
  const OwnedPositions positions = request.positions("positions");
  PHASOR_TRY(request.done());
  const auto largest = phasor::rotation_residual(config, q, k, positions.view());
  if (!largest.ok()) return largest.status();
  answer.add("largest", *largest);
  return {};
}

}  // namespace

namespace phasor_js {

std::span<const Call> analysis_calls() {
  static constexpr Call kCalls[] = {
      {"similarity", similarity},
      {"permutationError", permutation_error},
      {"reorder", reorder},
      {"distanceProfile", distance_profile},
      {"tableFacts", table_statistics},
      {"spectrum", spectrum},
      {"principalComponents", principal_components},
      {"decodability", linear_probe},
      {"shiftMatrix", shift_matrix},
      {"shiftResidual", shift_residual},
      {"rotationResidual", rotation_residual},
  };
  return kCalls;
}

}  // namespace phasor_js
